/// A frame of moves in the making: entries of one segment, each with the number that it had.
struct MovesFrame: ~Copyable {
    private struct Moved {
        let entry: CompactionBatch.Entry
        /// Where it stands in the frame.
        let offset: Int
    }

    private var buffer = ByteBuffer(capacity: 4_096)
    private var moved: [Moved] = []

    init() { buffer.appendZeros(FrameHeader.byteCount) }

    var isEmpty: Bool { moved.isEmpty }
    var count: Int { moved.count }
    var payloadLength: Int { buffer.count - FrameHeader.byteCount }

    mutating func append(_ entry: CompactionBatch.Entry, _ bytes: RawSpan) {
        buffer.append(varint: entry.candidate.number.rawValue)
        moved.append(Moved(entry: entry, offset: buffer.count))
        buffer.append(bytes)
    }

    /// Points the keys of its entries at the frame, which will stand at `tail`.
    func relocate(in root: inout StorageRoot, to tail: JournalTail) throws(StorageError) {
        for moved in moved {
            let candidate = moved.entry.candidate
            let length = moved.entry.bytes.count
            if let hidden = candidate.hidden {
                // The old one counts too as long as its segment does.
                let segment = tail.header.number
                root.usage?.add(Tombstone(segment: segment, bytes: length, hidden: hidden))
                continue
            }
            let location = EntryLocation(
                segment: tail.header.number,
                offset: UInt32(tail.offset) + UInt32(moved.offset),
                length: UInt32(length),
                number: candidate.number
            )
            try buffer.withBytes(moved.offset..<moved.offset + length) {
                bytes throws(StorageError) in
                guard let entry = FrameEntry(bytes, at: 0) else { return }
                try location.withBytes { place throws(StorageError) in
                    _ = try root.relocate(bytes.extracting(entry.key), to: place)
                }
            }
        }
    }

    /// Completes the frame at `tail`, moves `tail` behind it, and gives its bytes away.
    consuming func seat(at tail: inout JournalTail, watermark: SequenceNumber) -> [UInt8] {
        tail.seat(.moves, in: &buffer, watermark: watermark)
        var bytes: [UInt8] = []
        buffer.copy(to: &bytes)
        return bytes
    }
}
