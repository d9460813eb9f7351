import HoldfastStorage

extension Document {
    /// Calls `body` with a field's text, or with the texts among the elements of its array, until
    /// it returns `false`.
    static func forEachText(
        of field: String,
        in document: RawSpan,
        _ body: (ByteView) -> Bool
    ) throws(DocumentError) {
        try document.withByteView { (bytes) throws(DocumentError) in
            var reader = try DocumentReader(bytes)
            let isFound = try field.withByteView { (name) throws(DocumentError) in
                try reader.find(name)
            }
            if isFound { try reader.forEachText(body) }
        }
    }
}

extension DocumentReader {
    /// Reads a value and calls `body` with its text or texts.
    mutating func forEachText(_ body: (ByteView) -> Bool) throws(DocumentError) {
        let start = position
        let tag = try take(UInt8.self)
        guard tag == DocumentTag.array else {
            position = start
            _ = try readText(body)
            return
        }
        var elements = try takeContainer()
        while elements.hasMore {
            guard try elements.readText(body) else { return }
        }
    }

    /// Reads a value, and calls `body` when it is a text.
    private mutating func readText(_ body: (ByteView) -> Bool) throws(DocumentError) -> Bool {
        let start = position
        let tag = try take(UInt8.self)
        if let range = try takePlainText(tag) { return body(bytes[range]) }
        if let packed = try takePackedText(tag) { return packed.text.withByteView(body) }
        position = start
        try skipValue()
        return true
    }
}

extension JSONValue {
    /// Calls `body` with the text, or with the texts among an array's elements, until it returns
    /// `false`.
    func forEachText(_ body: (ByteView) -> Bool) {
        switch self {
        case .string(let text): _ = text.withByteView(body)
        case .array(let elements):
            for case .string(let text) in elements {
                guard text.withByteView(body) else { return }
            }
        default: return
        }
    }
}
