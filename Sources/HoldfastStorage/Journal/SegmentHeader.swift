/// What a segment says of itself and of the one before it (FORMAT.md, "Segment header").
package struct SegmentHeader: Hashable, Sendable {
    static let byteCount = 128
    /// Where the first frame stands.
    package static let firstFrame = UInt64(DoubledRecord.byteCount)

    package var store: StoreID
    package var number: UInt32
    /// Random; seeds every check in the segment.
    package var salt: UInt64
    /// The number of the first transaction in it.
    ///
    /// All before it are durable: a header is written only after the sync that covers its
    /// predecessor.
    package var first: SequenceNumber
    /// Where the predecessor's last frame ends; what lies behind is dead.
    ///
    /// Zero for segment 1.
    package var predecessorLength: UInt64
    /// The chain value after that frame.
    ///
    /// Zero for segment 1.
    package var predecessorChain: UInt64
    /// Features that a program has to know before it writes; none is defined.
    package var writerFeatures: UInt32 = 0
}

extension SegmentHeader {
    private func record() -> ByteBuffer {
        FileSignature.segment.header(length: Self.byteCount) { buffer in
            // Features: compatible, readable, incompatible (none is defined), reserved.
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

    /// The last transaction of the segments before; all of them are durable.
    var before: SequenceNumber { SequenceNumber(first.rawValue - 1) }

    /// The header as it stands in the file, twice.
    func bytes() -> [UInt8] { DoubledRecord.bytes(of: record()) }

    /// The chain value that the first frame has to carry.
    func chain() -> UInt64 {
        record().withBytes(0..<Self.byteCount) { XXH64.hash(of: $0, seed: salt) }
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
            guard let number = UInt32(exactly: copy.integer(at: 48, as: UInt64.self)),
                copy.integer(at: 64, as: UInt64.self) > 0
            else { return nil }
            return SegmentHeader(
                store: StoreID(first: copy.integer(at: 32), second: copy.integer(at: 40)),
                number: number,
                salt: copy.integer(at: 56),
                first: SequenceNumber(copy.integer(at: 64)),
                predecessorLength: copy.integer(at: 72),
                predecessorChain: copy.integer(at: 80),
                writerFeatures: copy.integer(at: 20)
            )
        }
    }
}
