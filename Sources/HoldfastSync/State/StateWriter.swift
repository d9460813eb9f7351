import Holdfast

/// Writes what sync stores for itself: integers of fixed width, the most significant byte first, and
/// texts and documents behind their lengths.
struct StateWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ integer: some FixedWidthInteger) { bytes.append(bigEndian: integer) }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.append(bigEndian: UInt32(clamping: utf8.count))
            unsafe bytes.append(contentsOf: utf8)
        }
    }

    mutating func append(_ text: [UInt8]) {
        bytes.append(bigEndian: UInt32(clamping: text.count))
        bytes.append(contentsOf: text)
    }

    /// A text that may be missing: a missing one is kept apart from an empty one.
    mutating func append(_ text: String?) {
        append(UInt8(text == nil ? 0 : 1))
        if let text { append(text) }
    }

    mutating func append(_ object: JSONObject) throws { append(try Document.encode(object)) }

    mutating func append(_ texts: some Collection<String>) {
        append(UInt32(clamping: texts.count))
        for text in texts { append(text) }
    }
}
