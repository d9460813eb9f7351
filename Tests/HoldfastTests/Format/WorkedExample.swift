import Holdfast
import HoldfastStorage
import HoldfastTesting
import Synchronization

/// The store that FORMAT.md shows byte by byte: one commit, in a world where nothing is random.
enum WorkedExample {
    static func text() async throws -> String {
        let disk = SimulatedDisk()
        let words = Mutex<UInt64>(0)
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = HeldScheduler()
        configuration.random = {
            words.withLock { word in
                word += 0x1111_1111_1111_1111
                return word
            }
        }
        let storage = try await JournalStorage.open(at: "s", configuration: configuration)
        let document = try Document.encode(["title": "Bread", "stars": 5])
        _ = try await storage.write(.synced) { transaction in
            try transaction.put(document, for: Array("notes".utf8) + [0] + Array("b1".utf8))
        }
        try await storage.close()
        let segment = try disk.contents(of: "s/0000000000000001.segment")
        return """
            identity, the first of two copies:
            \(dump(try disk.contents(of: "s/identity"), 0..<64))
            0000000000000001.segment, the first copy of its header:
            \(dump(segment, 0..<128))
            0000000000000001.segment, the transaction and the mark behind it:
            \(dump(segment, 8_192..<8_336))
            closed:
            \(dump(try disk.contents(of: "s/closed"), 0..<80))
            """
    }

    private static func dump(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        stride(from: range.lowerBound, to: range.upperBound, by: 16).map { start in
            let line = bytes[start..<min(start + 16, range.upperBound)]
            return hex(start, 4) + "  " + line.map { hex(Int($0), 2) }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    private static func hex(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
