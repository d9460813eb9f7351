/// What a segment says of itself and of the one before it (FORMAT.md, "Segment header").
package struct SegmentHeader: Hashable, Sendable {
    static let byteCount = 128
    /// Where the first frame stands.
    package static let firstFrame = UInt64(DoubledRecord.byteCount)

    package let store: StoreID
    package let number: UInt32
    /// Random; seeds every check in the segment.
    package let salt: UInt64
    /// The number of the first transaction in it.
    ///
    /// All before it are durable: a header is written only after the sync that covers its
    /// predecessor.
    package let first: SequenceNumber
    /// Where the predecessor's last frame ends; what lies behind is dead.
    ///
    /// Zero for segment 1.
    package let predecessorLength: UInt64
    /// The chain value after that frame.
    ///
    /// Zero for segment 1.
    package let predecessorChain: UInt64
    /// Features that a program has to know before it writes; none is defined.
    package let writerFeatures: UInt32
    /// The header as it stands in the file, with what a later version may have put there too.
    private let record: [UInt8]

    init(
        store: StoreID,
        number: UInt32,
        salt: UInt64,
        first: SequenceNumber,
        predecessorLength: UInt64,
        predecessorChain: UInt64
    ) {
        self.store = store
        self.number = number
        self.salt = salt
        self.first = first
        self.predecessorLength = predecessorLength
        self.predecessorChain = predecessorChain
        writerFeatures = 0
        record = FileSignature.segment.header(length: Self.byteCount) { buffer in
            // Features: compatible, writer, incompatible (none is defined), reserved.
            buffer.appendZeros(16)
            buffer.append(store.first)
            buffer.append(store.second)
            buffer.append(UInt64(number))
            buffer.append(salt)
            buffer.append(first.rawValue)
            buffer.append(predecessorLength)
            buffer.append(predecessorChain)
        }
    }

    /// Reads the header that begins `copy`, which is intact.
    private init?(intact copy: RawSpan) {
        guard let number = UInt32(exactly: copy.integer(at: 48, as: UInt64.self)),
            copy.integer(at: 64, as: UInt64.self) > 0
        else { return nil }
        store = StoreID(first: copy.integer(at: 32), second: copy.integer(at: 40))
        self.number = number
        salt = copy.integer(at: 56)
        first = SequenceNumber(copy.integer(at: 64))
        predecessorLength = copy.integer(at: 72)
        predecessorChain = copy.integer(at: 80)
        writerFeatures = copy.integer(at: 20)
        record = [UInt8](copy.extracting(first: Int(copy.integer(at: 12, as: UInt32.self))))
    }
}

extension SegmentHeader {
    /// The last transaction of the segments before; all of them are durable.
    var before: SequenceNumber { SequenceNumber(first.rawValue - 1) }

    /// The header as it stands in the file, twice.
    func bytes() -> [UInt8] { DoubledRecord.bytes(of: record) }

    /// The chain value that the first frame has to carry.
    func chain() -> UInt64 {
        unsafe XXH64.hash(of: record.span.bytes.extracting(first: Self.byteCount), seed: salt)
    }

    /// Reads the header from a segment's first 8,192 bytes.
    ///
    /// - Returns: `nil` when neither copy is intact.
    /// - Throws: ``StorageError`` `.unsupportedVersion`.
    static func parse(_ bytes: RawSpan, path: String) throws(StorageError) -> SegmentHeader? {
        try DoubledRecord.parse(bytes) { copy throws(StorageError) in
            guard
                try FileSignature.segment.isIntact(copy, minimum: byteCount, path: path)
            else { return nil }
            guard copy.integer(at: 24, as: UInt32.self) == 0 else {
                throw .unsupportedFeatures(path: path)
            }
            return SegmentHeader(intact: copy)
        }
    }
}
