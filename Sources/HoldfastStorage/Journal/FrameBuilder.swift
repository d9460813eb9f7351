/// Builds one transaction's frame, entry by entry, in the place where it will stand.
struct FrameBuilder: ~Copyable {
    private(set) var buffer: ByteBuffer
    let number: SequenceNumber
    private let segment: UInt32
    private let offset: UInt64

    /// A frame for the transaction behind `tail`.
    init(at tail: JournalTail) {
        buffer = ByteBuffer()
        buffer.appendZeros(FrameHeader.byteCount)
        number = tail.number.next
        segment = tail.header.number
        offset = tail.offset
    }

    var isEmpty: Bool { buffer.count == FrameHeader.byteCount }
    var payloadLength: Int { buffer.count - FrameHeader.byteCount }
    /// The length so far, to roll back to.
    var length: Int { buffer.count }

    mutating func appendPut(
        key: RawSpan,
        value: RawSpan
    ) throws(StorageError) -> EntryLocation {
        try reserve(FrameEntry.byteBound(key: key.byteCount, value: value.byteCount))
        let start = buffer.count
        FrameEntry.appendPut(key: key, value: value, number: number, to: &buffer)
        return location(start..<buffer.count)
    }

    mutating func appendDelete(
        key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone {
        try reserve(FrameEntry.byteBound(key: key.byteCount, value: 0))
        let start = buffer.count
        FrameEntry.appendDelete(key: key, hiding: hidden, number: number, to: &buffer)
        return Tombstone(segment: segment, bytes: buffer.count - start, hidden: hidden)
    }

    mutating func rollBack(to length: Int) { buffer.truncate(to: length) }

    /// Whether the location is one that this frame gave out.
    func holds(_ location: EntryLocation) -> Bool {
        location.number == number && location.segment == segment
            && UInt64(location.offset) >= offset
    }

    func value(at location: EntryLocation, for key: RawSpan) -> [UInt8]? {
        let start = Int(UInt64(location.offset) - offset)
        guard start + Int(location.length) <= buffer.count else { return nil }
        return buffer.withBytes(start..<start + Int(location.length)) {
            FrameEntry.value(in: $0, for: key, number: number)
        }
    }

    /// Moves the entries that `root` has in this frame to where the frame stands at `tail`.
    func relocate(in root: inout StorageRoot, to tail: JournalTail) throws(StorageError) {
        let moved = (segment: tail.header.number, offset: tail.offset)
        try buffer.withBytes(0..<buffer.count) { bytes throws(StorageError) in
            var position = FrameHeader.byteCount
            while let entry = FrameEntry(bytes, at: position) {
                position = entry.bytes.upperBound
                guard entry.value != nil else {
                    root.moveTombstone(entry, from: segment, to: moved.segment)
                    continue
                }
                let key = bytes.extracting(entry.key)
                let old = location(entry.bytes)
                var new = old
                new.segment = moved.segment
                new.offset = UInt32(moved.offset) + UInt32(entry.bytes.lowerBound)
                try root.move(key, from: old, to: new)
            }
        }
    }

    /// Completes the frame at `tail`, moves `tail` behind it, and gives its bytes away.
    consuming func seat(at tail: inout JournalTail, watermark: SequenceNumber) -> [UInt8] {
        tail.seat(.transaction, in: &buffer, watermark: watermark)
        var bytes: [UInt8] = []
        buffer.copy(to: &bytes)
        return bytes
    }

    private func location(_ range: Range<Int>) -> EntryLocation {
        EntryLocation(
            segment: segment,
            offset: UInt32(offset) + UInt32(range.lowerBound),
            length: UInt32(range.count),
            number: number
        )
    }

    private func reserve(_ more: Int) throws(StorageError) {
        guard buffer.count - FrameHeader.byteCount + more <= StorageLimits.transactionBytes else {
            throw StorageError(
                .transactionTooLarge,
                "The transaction is larger than \(StorageLimits.transactionBytes) bytes. Nothing of"
                    + " it was written; split it."
            )
        }
    }
}
