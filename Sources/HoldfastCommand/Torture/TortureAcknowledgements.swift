/// What a child of `hold torture` has printed so far: that the store is open, and the
/// transactions whose `write` has returned.
package struct TortureAcknowledgements: Hashable, Sendable {
    /// Whether the store was opened.
    package private(set) var isOpen = false
    /// The last acknowledged number of each task.
    package private(set) var lastNumbers: [Int]
    /// How many transactions were acknowledged.
    package private(set) var count = 0
    private var line: [UInt8] = []

    /// Before the first byte, behind each task's last number of earlier rounds.
    package init(lastNumbers: [Int]) { self.lastNumbers = lastNumbers }

    /// The line that says that the store is open.
    package static let openLine = "open\n"

    /// The line that acknowledges a transaction.
    package static func line(task: Int, number: Int) -> String { "\(task) \(number)\n" }

    /// Takes what the child printed; a last line without its end counts only once that has come.
    package mutating func take(_ bytes: [UInt8]) throws(Failure) {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                continue
            }
            try take(line: String(decoding: line, as: UTF8.self))
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func take(line: String) throws(Failure) {
        if line + "\n" == Self.openLine {
            isOpen = true
            return
        }
        let words = line.split(separator: " ").compactMap { Int($0) }
        guard words.count == 2, lastNumbers.indices.contains(words[0]),
            words[1] == lastNumbers[words[0]] &+ 1
        else {
            throw Failure("the child printed '\(line)', which is not an acknowledgement")
        }
        lastNumbers[words[0]] = words[1]
        count += 1
    }
}
