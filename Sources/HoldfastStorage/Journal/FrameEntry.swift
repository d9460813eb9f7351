/// One key's change inside a transaction's payload (FORMAT.md, "Entry").
///
/// ```
/// check u32 · kind u8 · key length · [value length] · key · [value]
/// ```
///
/// An entry has a check of its own: a point read verifies the few bytes that it needs, not the
/// whole frame around them. The check is seeded with the transaction's number, so that an older
/// version of a key is never taken for the current one.
package struct FrameEntry: Hashable, Sendable {
    enum Kind: UInt8 {
        case put = 1
        case delete = 2
    }

    /// Where the key stands in the bytes that hold the entry.
    package let key: Range<Int>
    /// Where the value stands; `nil` when the entry removes the key.
    package let value: Range<Int>?
    /// Where the whole entry stands, its check included.
    package let bytes: Range<Int>

    static func appendPut(
        key: RawSpan,
        value: RawSpan,
        number: SequenceNumber,
        to buffer: inout ByteBuffer
    ) {
        append(.put, to: &buffer, number: number) { buffer in
            buffer.append(varint: key.byteCount)
            buffer.append(varint: value.byteCount)
            buffer.append(key)
            buffer.append(value)
        }
    }

    static func appendDelete(
        key: RawSpan,
        number: SequenceNumber,
        to buffer: inout ByteBuffer
    ) {
        append(.delete, to: &buffer, number: number) { buffer in
            buffer.append(varint: key.byteCount)
            buffer.append(key)
        }
    }

    /// The most bytes that a put of these lengths takes.
    static func byteBound(key: Int, value: Int) -> Int { 15 + key + value }

    private static func append(
        _ kind: Kind,
        to buffer: inout ByteBuffer,
        number: SequenceNumber,
        _ content: (inout ByteBuffer) -> Void
    ) {
        let start = buffer.count
        buffer.append(UInt32(0))
        buffer.append(kind.rawValue)
        content(&buffer)
        let check = buffer.withBytes(start + 4..<buffer.count) { checksum(of: $0, number) }
        buffer.overwrite(check, at: start)
    }

    /// Parses the entry at `offset`, or `nil` where none that fits stands there.
    ///
    /// The check is not verified: a frame's payload check has vouched for it, or
    /// ``isIntact(in:number:)`` is asked next.
    package init?(_ payload: RawSpan, at offset: Int) {
        var position = offset + 5
        guard offset >= 0, position <= payload.byteCount,
            let kind = Kind(rawValue: payload.byte(at: offset + 4)),
            let keyLength = payload.varint(at: &position)
        else { return nil }
        var valueLength = 0
        if kind == .put {
            guard let length = payload.varint(at: &position) else { return nil }
            valueLength = length
        }
        guard (1...StorageLimits.keyBytes).contains(keyLength),
            keyLength + valueLength <= payload.byteCount - position
        else { return nil }
        key = position..<position + keyLength
        value = kind == .put ? key.upperBound..<key.upperBound + valueLength : nil
        bytes = offset..<key.upperBound + valueLength
    }

    /// Whether the entry's bytes are what was written for `number`.
    package func isIntact(in payload: RawSpan, number: SequenceNumber) -> Bool {
        let body = payload.extracting(bytes.lowerBound + 4..<bytes.upperBound)
        return payload.integer(at: bytes.lowerBound) == Self.checksum(of: body, number)
    }

    private static func checksum(of body: RawSpan, _ number: SequenceNumber) -> UInt32 {
        UInt32(truncatingIfNeeded: XXH64.hash(of: body, seed: number.rawValue))
    }
}
