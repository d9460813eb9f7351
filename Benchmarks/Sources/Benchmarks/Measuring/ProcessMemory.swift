import Foundation

/// The memory of this process, in bytes.
struct ProcessMemory: Codable, Sendable {
    /// What is in memory, with files that are mapped.
    var resident: Int
    /// The most that was in memory at any time.
    var peak: Int
    /// What is in memory and belongs to no file.
    var own: Int

    /// What the system says now; `nil` where it does not say so.
    static func now() -> ProcessMemory? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return nil
        }
        var bytes: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 3, words[2] == "kB" { bytes[words[0]] = (Int(words[1]) ?? 0) << 10 }
        }
        guard let resident = bytes["VmRSS:"], let peak = bytes["VmHWM:"],
            let own = bytes["RssAnon:"]
        else { return nil }
        return ProcessMemory(resident: resident, peak: peak, own: own)
    }

    /// How much more it is than before; the peak over what was in memory then.
    func growth(since before: ProcessMemory) -> ProcessMemory {
        ProcessMemory(
            resident: resident - before.resident,
            peak: peak - before.resident,
            own: own - before.own
        )
    }
}
