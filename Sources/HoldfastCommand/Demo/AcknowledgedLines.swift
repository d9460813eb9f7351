/// The ids that `hold import --ack` has printed, whole lines only.
struct AcknowledgedLines {
    private(set) var ids: Set<String> = []
    private var line: [UInt8] = []

    /// How many ids there are.
    var count: Int { ids.count }

    /// Takes what was printed; a last line without its end does not count.
    mutating func take(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                ids.insert(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
    }
}
