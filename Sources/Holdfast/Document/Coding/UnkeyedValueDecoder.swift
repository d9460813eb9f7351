/// Reads the elements of an array, one after the other.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    private let end: Int
    private var position: Int
    private(set) var currentIndex = 0
    /// How many elements there are.
    ///
    /// - Complexity: O(n), as the elements are looked at.
    var count: Int? { decoder.elementCount(in: position..<end) + currentIndex }

    init(decoder: ValueDecoder, array: Range<Int>) {
        self.decoder = decoder
        position = array.lowerBound
        end = array.upperBound
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var isAtEnd: Bool { position >= end }

    private var key: PositionKey { PositionKey(currentIndex) }

    mutating func decodeNil() throws -> Bool {
        try checkNotAtEnd(Never.self)
        guard decoder.isNull(at: position) else { return false }
        position += 1
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try checkNotAtEnd(type)
        let value =
            if let leaf = LeafType(type) {
                try decoder.read(leaf, as: type, at: position, key: key)
            } else {
                try decoder.readValue(type, at: position, key: key)
            }
        try advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try nextDecoder().container(keyedBy: type)
        try advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nextDecoder().unkeyedContainer()
        try advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nextDecoder()
        try advance()
        return decoder
    }

    private func nextDecoder() throws -> ValueDecoder {
        try checkNotAtEnd(Never.self)
        return try decoder.side(at: position, key)
    }

    /// Reads the next element; one that is of another type stays the next one.
    @inline(__always)
    mutating func next<Value>(
        _ read: (inout DocumentReader) throws -> Value
    ) throws -> Value {
        try checkNotAtEnd(Value.self)
        let value = try decoder.read(at: position, key: key, read)
        try advance()
        return value
    }

    private mutating func advance() throws {
        position = try decoder.end(ofValueIn: position..<end)
        currentIndex += 1
    }

    private func checkNotAtEnd(_ type: any Any.Type) throws {
        guard isAtEnd else { return }
        throw DecodingError.valueNotFound(
            type,
            .init("The array ends here.", at: codingPath + [key])
        )
    }
}

extension ValueDecoder {
    /// Where the value ends that a range begins with.
    func end(ofValueIn range: Range<Int>) throws -> Int {
        var reader = unsafe state.pointee.reader(range)
        try reader.skipValue()
        return reader.position
    }

    /// How many values lie in a range, before the first damage.
    func elementCount(in range: Range<Int>) -> Int {
        var reader = unsafe state.pointee.reader(range)
        var count = 0
        while reader.hasMore, (try? reader.skipValue()) != nil { count += 1 }
        return count
    }
}
