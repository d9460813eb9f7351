/// The `closed` file: where the journal ended when it was closed (FORMAT.md, "Closed").
///
/// A second witness beside the frames' own watermarks: it stands in another file, so that a journal
/// cut on a frame boundary is found out. It is removed, durably, before the next append.
struct CloseWitness: Hashable {
    static let byteCount = 80

    var store: StoreID
    var number: SequenceNumber
    var segment: UInt32
    /// Where the last frame ends.
    var length: UInt64
    /// The chain value after that frame.
    var chain: UInt64

    /// The witness of a journal that ends with `tail`.
    init(_ store: StoreID, _ tail: JournalTail) {
        self.init(
            store: store,
            number: tail.number,
            segment: tail.header.number,
            length: tail.offset,
            chain: tail.chain
        )
    }

    init(
        store: StoreID,
        number: SequenceNumber,
        segment: UInt32,
        length: UInt64,
        chain: UInt64
    ) {
        self.store = store
        self.number = number
        self.segment = segment
        self.length = length
        self.chain = chain
    }

    /// Whether the journal ends where it did.
    func isMet(by end: SegmentScanner.Position, in segment: UInt32) -> Bool {
        self.segment == segment && number == end.number && length == end.offset
            && chain == end.chain
    }

    func bytes() -> [UInt8] {
        FileSignature.closed.header(length: Self.byteCount) { buffer in
            buffer.append(store.first)
            buffer.append(store.second)
            buffer.append(number.rawValue)
            buffer.append(UInt64(segment))
            buffer.append(length)
            buffer.append(chain)
        }
    }

    /// Reads the witness, or `nil` when it is damaged.
    static func parse(_ bytes: RawSpan, path: String) throws(StorageError) -> CloseWitness? {
        guard try FileSignature.closed.isIntact(bytes, minimum: byteCount, path: path),
            let segment = UInt32(exactly: bytes.integer(at: 40, as: UInt64.self))
        else { return nil }
        return CloseWitness(
            store: StoreID(first: bytes.integer(at: 16), second: bytes.integer(at: 24)),
            number: SequenceNumber(bytes.integer(at: 32)),
            segment: segment,
            length: bytes.integer(at: 48),
            chain: bytes.integer(at: 56)
        )
    }
}
