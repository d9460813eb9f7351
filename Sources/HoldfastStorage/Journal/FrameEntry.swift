/// One key's change inside a transaction's payload (FORMAT.md, "Entry").
///
/// ```
/// put:    check u32 · kind u8 · key length · value length · key · value
/// delete: check u32 · kind u8 · key length · lowest segment · highest less lowest · key
/// ```
///
/// An entry has a check of its own: a point read verifies the few bytes that it needs, not the
/// whole frame around them. The check is seeded with the transaction's number, so that an older
/// version of a key is never taken for the current one.
package struct FrameEntry: Hashable, Sendable {
    enum Kind: UInt8 {
        case put = 1
        /// A delete that does not say where older versions may be.
        case plainDelete = 2
        case delete = 3
    }

    /// Where the key stands in the bytes that hold the entry.
    package let key: Range<Int>
    /// Where the value stands; `nil` when the entry removes the key.
    package let value: Range<Int>?
    /// Where the whole entry stands, its check included.
    package let bytes: Range<Int>
    /// The segments that may hold what a delete has deleted, its own or not; `nil` in a put, and in
    /// a delete that does not say.
    let hidden: ClosedRange<UInt32>?

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
        hiding hidden: ClosedRange<UInt32>,
        number: SequenceNumber,
        to buffer: inout ByteBuffer
    ) {
        append(.delete, to: &buffer, number: number) { buffer in
            buffer.append(varint: key.byteCount)
            buffer.append(varint: UInt64(hidden.lowerBound))
            buffer.append(varint: UInt64(hidden.upperBound - hidden.lowerBound))
            buffer.append(key)
        }
    }

    /// The most bytes that an entry of these lengths takes.
    static func byteBound(key: Int, value: Int) -> Int { 20 + key + value }

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
        var hidden: ClosedRange<UInt32>?
        switch kind {
        case .put:
            guard let length = payload.varint(at: &position) else { return nil }
            valueLength = length
        case .delete:
            guard let segments = Self.segments(in: payload, at: &position) else { return nil }
            hidden = segments
        case .plainDelete: break
        }
        guard (1...StorageLimits.keyBytes).contains(keyLength),
            keyLength + valueLength <= payload.byteCount - position
        else { return nil }
        key = position..<position + keyLength
        value = kind == .put ? key.upperBound..<key.upperBound + valueLength : nil
        bytes = offset..<key.upperBound + valueLength
        self.hidden = hidden
    }

    private static func segments(
        in payload: RawSpan,
        at position: inout Int
    ) -> ClosedRange<UInt32>? {
        guard let lowest = payload.varint(at: &position),
            let width = payload.varint(at: &position),
            let first = UInt32(exactly: lowest),
            let last = UInt32(exactly: lowest + width)
        else { return nil }
        return first...last
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
