/// Where a key's current entry stands in the journal: what the primary index holds beside the key.
package struct EntryLocation: Hashable, Sendable {
    private static let byteCount = 20
    private static let longByteCount = 28

    var segment: UInt32
    /// Where the entry starts in its segment.
    ///
    /// Segments, even one of a single frame, end below 4 GiB.
    var offset: UInt32
    /// The entry's length, its check included.
    var length: UInt32
    /// The transaction that wrote it.
    var number: SequenceNumber
    /// The other segments that may hold older versions of the key, or copies of this one.
    var older: ClosedRange<UInt32>?

    package init(
        segment: UInt32,
        offset: UInt32,
        length: UInt32,
        number: SequenceNumber,
        older: ClosedRange<UInt32>? = nil
    ) {
        self.segment = segment
        self.offset = offset
        self.length = length
        self.number = number
        self.older = older
    }

    init(_ payload: RawSpan) {
        segment = payload.integer(at: 0)
        offset = payload.integer(at: 4)
        length = payload.integer(at: 8)
        number = SequenceNumber(payload.integer(at: 12))
        guard payload.byteCount >= Self.longByteCount else { return }
        let (lowest, highest): (UInt32, UInt32) = (payload.integer(at: 20), payload.integer(at: 24))
        older = min(lowest, highest)...highest
    }

    /// Whether a packed location that was read back can be one.
    static func isPacked(_ bytes: BytesView) -> Bool {
        (bytes.count == byteCount || bytes.count == longByteCount)
            && bytes.integer(at: 0, as: UInt32.self) > 0
            && bytes.integer(at: 8, as: UInt32.self) <= StorageLimits.transactionBytes
    }

    /// Whether both are the same entry in the same place.
    func isSamePlace(as other: EntryLocation) -> Bool {
        segment == other.segment && offset == other.offset && number == other.number
    }

    /// The segments that may hold any version of the key.
    var versions: ClosedRange<UInt32> { older.including(segment) }

    /// Lends the location in its packed form.
    func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var words: InlineArray<7, UInt32> = .init(repeating: 0)
        words[0] = segment.littleEndian
        words[1] = offset.littleEndian
        words[2] = length.littleEndian
        words[3] = UInt32(truncatingIfNeeded: number.rawValue).littleEndian
        words[4] = UInt32(truncatingIfNeeded: number.rawValue >> 32).littleEndian
        guard let older else {
            return try unsafe body(words.span.bytes.extracting(first: Self.byteCount))
        }
        words[5] = older.lowerBound.littleEndian
        words[6] = older.upperBound.littleEndian
        return try unsafe body(words.span.bytes)
    }
}

extension ClosedRange<UInt32>? {
    /// The least range that holds this one and a segment.
    func including(_ segment: UInt32) -> ClosedRange<UInt32> {
        guard let self else { return segment...segment }
        return Swift.min(self.lowerBound, segment)...Swift.max(self.upperBound, segment)
    }
}
