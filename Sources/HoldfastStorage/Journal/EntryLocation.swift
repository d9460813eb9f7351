/// Where a key's current entry stands in the journal: what the primary index holds beside the key.
package struct EntryLocation: Hashable, Sendable {
    static let byteCount = 20

    var segment: UInt32
    /// Where the entry starts in its segment.
    ///
    /// Segments, even one of a single frame, end below 4 GiB.
    var offset: UInt32
    /// The entry's length, its check included.
    var length: UInt32
    /// The transaction that wrote it.
    var number: SequenceNumber

    package init(segment: UInt32, offset: UInt32, length: UInt32, number: SequenceNumber) {
        self.segment = segment
        self.offset = offset
        self.length = length
        self.number = number
    }

    init(_ payload: RawSpan) {
        segment = payload.integer(at: 0)
        offset = payload.integer(at: 4)
        length = payload.integer(at: 8)
        number = SequenceNumber(payload.integer(at: 12))
    }

    /// Whether a packed location that was read back can be one.
    static func isPacked(_ bytes: BytesView) -> Bool {
        bytes.count == byteCount && bytes.integer(at: 0, as: UInt32.self) > 0
            && bytes.integer(at: 8, as: UInt32.self) <= StorageLimits.transactionBytes
    }

    /// Lends the location in its packed form.
    func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var words: InlineArray<5, UInt32> = .init(repeating: 0)
        words[0] = segment.littleEndian
        words[1] = offset.littleEndian
        words[2] = length.littleEndian
        words[3] = UInt32(truncatingIfNeeded: number.rawValue).littleEndian
        words[4] = UInt32(truncatingIfNeeded: number.rawValue >> 32).littleEndian
        return try unsafe body(words.span.bytes)
    }
}
