/// The header of a checkpoint, which is written last (FORMAT.md, "`checkpoint`").
struct CheckpointHeader: Hashable {
    static let byteCount = 128
    /// Where the pages start.
    static let pagesStart = UInt64(DoubledRecord.stride)
    /// What a checkpoint says beside its pages is never larger.
    static let contentsLimit: UInt64 = 1 << 30
    private static let sealedFlag: UInt32 = 1

    var store: StoreID
    /// Random; seeds every check in the file.
    var salt: UInt64
    /// Up to where the journal is in the pages.
    var position: JournalPosition
    /// Where the frame before the position starts; 0 where none is.
    var frame: UInt64
    var contentsOffset: UInt64
    var contentsLength: UInt64
    var contentsCheck: UInt64

    func bytes() -> [UInt8] {
        FileSignature.checkpoint.header(length: Self.byteCount) { buffer in
            buffer.append(store.first)
            buffer.append(store.second)
            buffer.append(salt)
            buffer.append(position.number.rawValue)
            buffer.append(position.segment)
            buffer.append(position.epoch)
            buffer.append(position.offset)
            buffer.append(position.chain)
            buffer.append(frame)
            buffer.append(contentsOffset)
            buffer.append(contentsLength)
            buffer.append(contentsCheck)
            buffer.append(position.isSealed ? Self.sealedFlag : 0)
        }
    }

    /// Reads the header, or `nil` when it is damaged.
    static func parse(_ bytes: RawSpan, path: String) throws(StorageError) -> CheckpointHeader? {
        guard try FileSignature.checkpoint.isIntact(bytes, minimum: byteCount, path: path),
            bytes.integer(at: 104, as: UInt32.self) <= sealedFlag
        else { return nil }
        let header = CheckpointHeader(
            store: StoreID(first: bytes.integer(at: 16), second: bytes.integer(at: 24)),
            salt: bytes.integer(at: 32),
            position: JournalPosition(
                segment: bytes.integer(at: 48),
                offset: bytes.integer(at: 56),
                chain: bytes.integer(at: 64),
                number: SequenceNumber(bytes.integer(at: 40)),
                epoch: bytes.integer(at: 52),
                isSealed: bytes.integer(at: 104, as: UInt32.self) == sealedFlag
            ),
            frame: bytes.integer(at: 72),
            contentsOffset: bytes.integer(at: 80),
            contentsLength: bytes.integer(at: 88),
            contentsCheck: bytes.integer(at: 96)
        )
        return header.isPlausible ? header : nil
    }

    private var isPlausible: Bool {
        position.offset >= SegmentHeader.firstFrame && position.segment > 0
            && contentsOffset >= Self.pagesStart && contentsOffset < 1 << 60
            && contentsLength <= Self.contentsLimit
            && (frame == 0) == (position.offset == SegmentHeader.firstFrame)
            && (frame == 0
                || frame >= SegmentHeader.firstFrame
                    && frame <= position.offset - UInt64(FrameHeader.byteCount))
    }

    static func check(of contents: RawSpan, salt: UInt64) -> UInt64 {
        XXH64.hash(of: contents, seed: salt)
    }
}
