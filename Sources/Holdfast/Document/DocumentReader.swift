/// Reads what a document holds, a value at a time, and trusts no byte of it.
struct DocumentReader {
    let bytes: ByteView
    var position: Int
    /// Where the object or array ends that is read.
    private(set) var end: Int
    private(set) var depth: Int

    /// A reader of the fields of a document.
    init(_ bytes: ByteView) throws(DocumentError) {
        guard bytes.count > 0, bytes[0] == Document.version else {
            throw DocumentError(reason: .unknownVersion, offset: 0)
        }
        self.init(bytes, 1..<bytes.count, depth: 0)
    }

    init(_ bytes: ByteView, _ range: Range<Int>, depth: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    /// Whether fields or elements are left.
    @inline(__always)
    var hasMore: Bool { position < end }

    func failure(_ reason: DocumentError.Reason, at offset: Int? = nil) -> DocumentError {
        DocumentError(reason: reason, offset: offset ?? position)
    }

    /// Reads `count` bytes and returns where they are.
    @inline(__always)
    mutating func take(_ count: Int) throws(DocumentError) -> Range<Int> {
        guard count <= end - position else { throw failure(.truncated) }
        defer { position += count }
        return position..<(position + count)
    }

    /// Reads an integer, little-endian.
    @inline(__always)
    mutating func take<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type
    ) throws(DocumentError) -> Integer {
        bytes.load(type, at: try take(MemoryLayout<Integer>.size).lowerBound)
    }

    /// Reads a field's name, and returns where it is.
    @inline(__always)
    mutating func takeName() throws(DocumentError) -> Range<Int> {
        let length = try take(UInt8.self)
        guard length == DocumentTag.longName else { return try take(Int(length)) }
        return try take(Int(take(UInt32.self)))
    }

    /// Reads an array or object, whose tag was read, and returns a reader of what it holds.
    mutating func takeContainer() throws(DocumentError) -> DocumentReader {
        guard depth < Document.nestingLimit else { throw failure(.nestingTooDeep) }
        return DocumentReader(bytes, try take(Int(take(UInt32.self))), depth: depth + 1)
    }

    /// Reads a value without looking into it.
    @inline(__always)
    mutating func skipValue() throws(DocumentError) {
        let tag = try take(UInt8.self)
        if tag >= DocumentTag.shortText {
            _ = try take(Int(tag & 0x7F))
        } else if tag < DocumentTag.smallInteger {
            try skipPayload(of: tag)
        }
    }

    private mutating func skipPayload(of tag: UInt8) throws(DocumentError) {
        let count =
            switch tag {
            case DocumentTag.null, DocumentTag.false, DocumentTag.true: 0
            case DocumentTag.int8: 1
            case DocumentTag.int16: 2
            case DocumentTag.int32: 4
            case DocumentTag.int64, DocumentTag.double: 8
            case DocumentTag.timestamp...DocumentTag.lastTimestamp: 8
            case DocumentTag.uuid: 16
            case DocumentTag.longText, DocumentTag.array, DocumentTag.object:
                Int(try take(UInt32.self))
            default: throw failure(.unknownTag, at: position - 1)
            }
        _ = try take(count)
    }

    /// Moves to the value of the next field with a name, and says whether there is one.
    @inline(__always)
    mutating func find(_ name: ByteView) throws(DocumentError) -> Bool {
        while hasMore {
            if bytes[try takeName()].isEqual(to: name) { return true }
            try skipValue()
        }
        return false
    }

    /// Reads up to the end of the next field with a name, and returns where the field is.
    mutating func findField(_ name: ByteView) throws(DocumentError) -> Range<Int>? {
        while hasMore {
            let start = position
            let isSame = bytes[try takeName()].isEqual(to: name)
            try skipValue()
            if isSame { return start..<position }
        }
        return nil
    }
}
