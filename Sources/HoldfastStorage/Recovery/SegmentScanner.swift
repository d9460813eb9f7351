/// Reads a segment's frames in order, from one position to the first that is not right.
///
/// A pure reader: what the end means is decided by ``JournalReplay``.
struct SegmentScanner: ~Copyable {
    /// Where a scan stands: behind the last right frame.
    struct Position: Hashable {
        var offset: UInt64
        /// The last transaction's number.
        var number: SequenceNumber
        /// What the next frame's chain has to be; `nil` where it is not known, as in the middle.
        var chain: UInt64?
        var epoch: UInt32 = 0
    }

    enum End: Hashable {
        /// The limit was reached exactly.
        case limit
        /// A seal was read: nothing follows.
        case seal
        /// The next frame is missing, torn or damaged.
        case broken
    }

    /// One frame, in a visit.
    struct Frame: ~Copyable {
        let header: FrameHeader
        let offset: UInt64
    }

    private static let window = 1 << 20
    /// What is read first: a reader that wants the newest commit alone needs no more, and behind it
    /// stand the zeros of a segment that is not full.
    private static let firstWindow = 4 << 10

    let file: any File
    let salt: UInt64
    let path: String
    private(set) var position: Position
    /// Whether the last frame read is a seal.
    private(set) var isSealed = false
    /// The greatest watermark of the frames read so far.
    private(set) var watermark = SequenceNumber.zero
    private(set) var end: UInt64
    private let limit: UInt64?
    private var isLimited: Bool
    private var nextWindow = firstWindow
    private var buffer = ByteBuffer(capacity: 4_096)
    private var bufferStart: UInt64 = 0

    /// A scan up to `limit`, or to the file's end where that is `nil`.
    init(
        _ file: any File,
        salt: UInt64,
        from position: Position,
        limit: UInt64? = nil
    ) throws(StorageError) {
        self.file = file
        self.salt = salt
        self.position = position
        path = file.path
        let size = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.size()
        }
        end = min(limit ?? size, size)
        isLimited = limit.map { $0 <= size } ?? false
        self.limit = limit
    }

    /// Says that the frame before the position is a seal: nothing follows.
    mutating func endAtSeal() { isSealed = true }

    /// Forgets what was read ahead, since a writer may have written there meanwhile.
    mutating func refresh() throws(StorageError) {
        let file = file
        let size = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.size()
        }
        end = min(limit ?? size, size)
        isLimited = limit.map { $0 <= size } ?? false
        buffer.truncate(to: 0)
    }

    /// Visits frames until the end, or until `visit` answers `false`.
    ///
    /// - Returns: Why the scan ended; `nil` when `visit` ended it. ``position`` stands behind the
    ///   last frame that `visit` accepted.
    mutating func scan(
        _ visit: (_ frame: borrowing Frame, _ payload: RawSpan) throws(StorageError) -> Bool
    ) throws(StorageError) -> End? {
        while true {
            if isSealed { return .seal }
            guard position.offset < min(end, UInt64(UInt32.max)) else {
                return isLimited && position.offset == end ? .limit : .broken
            }
            guard let header = try nextHeader() else { return .broken }
            let frame = Frame(header: header, offset: position.offset)
            guard let next = try check(header) else { return .broken }
            let start = Int(position.offset - bufferStart) + FrameHeader.byteCount
            let goesOn = try buffer.withBytes(start..<start + header.payloadLength) {
                payload throws(StorageError) in
                try visit(frame, payload)
            }
            guard goesOn else { return nil }
            position = next
            watermark = max(watermark, header.watermark)
            isSealed = header.kind == .seal
        }
    }

    /// The header at the position, if its own check holds and it continues what came before.
    private mutating func nextHeader() throws(StorageError) -> FrameHeader? {
        guard try load(FrameHeader.byteCount) else { return nil }
        let at = Int(position.offset - bufferStart)
        let header = buffer.withBytes(0..<buffer.count) {
            FrameHeader($0, at: at, salt: salt, offset: position.offset)
        }
        guard let header else { return nil }
        let expected =
            header.kind == .transaction ? position.number.next : position.number
        guard header.number == expected,
            position.chain == nil || header.chain == position.chain,
            header.kind == .transaction || header.kind == .moves || header.payloadLength == 0
        else { return nil }
        return header
    }

    /// Verifies the payload and gives the position behind the frame.
    private mutating func check(_ header: FrameHeader) throws(StorageError) -> Position? {
        // What lies beyond 4 GiB has no location; no such segment was ever written.
        guard UInt64(header.frameLength) <= min(end, UInt64(UInt32.max)) - position.offset,
            try load(header.frameLength)
        else { return nil }
        let at = Int(position.offset - bufferStart)
        let payload = at + FrameHeader.byteCount
        let payloadEnd = payload + header.payloadLength
        let isIntact = buffer.withBytes(payload..<payloadEnd) {
            FrameHeader.payloadCheck(of: $0, salt: salt, number: header.number)
                == header.payloadCheck
        }
        guard isIntact,
            buffer.withBytes(payloadEnd..<at + header.frameLength, { $0.isZero })
        else { return nil }
        let chain = buffer.withBytes(at..<payload) { FrameHeader.chain(after: $0, salt: salt) }
        return Position(
            offset: position.offset + UInt64(header.frameLength),
            number: header.number,
            chain: chain,
            epoch: max(position.epoch, header.epoch)
        )
    }

    /// Makes the next `count` bytes stand in the buffer; `false` where the file ends before.
    private mutating func load(_ count: Int) throws(StorageError) -> Bool {
        let available = bufferStart + UInt64(buffer.count)
        if position.offset >= bufferStart, position.offset + UInt64(count) <= available {
            return true
        }
        guard position.offset + UInt64(count) <= end else { return false }
        let want = min(UInt64(max(count, nextWindow)), end - position.offset)
        nextWindow = min(nextWindow * 4, Self.window)
        bufferStart = position.offset
        do throws(SystemCallError) {
            try buffer.fill(from: file, at: bufferStart, count: Int(want))
        } catch {
            throw StorageError(error, doing: "Reading the journal")
        }
        return buffer.count >= count
    }
}

extension SegmentScanner.Position {
    /// Whether a scan that came here has read a segment to its end.
    func stands(at end: SegmentBoundary) -> Bool {
        offset == end.length && number.next == end.next && (chain == nil || chain == end.chain)
    }

    /// Before the first frame of a segment.
    init(startOf header: SegmentHeader, epoch: UInt32 = 0) {
        self.init(
            offset: SegmentHeader.firstFrame,
            number: header.before,
            chain: header.chain(),
            epoch: epoch
        )
    }
}

extension SegmentScanner {
    /// What stands behind the position: bytes that are not zero, and the greatest watermark of any
    /// frame there whose header is intact.
    ///
    /// A header that checks is proof of what it says, its payload damaged or not and whatever
    /// stands before it: a watermark is written only after the sync that it speaks of.
    mutating func remains() throws(StorageError) -> (isZero: Bool, watermark: SequenceNumber) {
        var isZero = true
        var watermark = SequenceNumber.zero
        var offset = position.offset
        while offset < end {
            bufferStart = offset
            let want = Int(min(UInt64(Self.window), end - offset))
            do throws(SystemCallError) {
                try buffer.fill(from: file, at: offset, count: want)
            } catch {
                throw StorageError(error, doing: "Reading the journal")
            }
            guard buffer.count > 0 else { break }
            let found = buffer.withBytes(0..<buffer.count) { bytes in
                Self.greatestWatermark(in: bytes, at: offset, salt: salt)
            }
            if !found.isZero { isZero = false }
            watermark = max(watermark, found.watermark)
            let isLast = offset + UInt64(buffer.count) >= end || buffer.count < want
            // Windows overlap by a header, so that none is missed on their border.
            offset += UInt64(isLast ? buffer.count : buffer.count - FrameHeader.byteCount)
            if isLast { break }
        }
        return (isZero, watermark)
    }

    /// Whether nothing stands just behind the position: enough where something vouches for the end,
    /// so that a large segment need not be read to its own end.
    func isBlankAhead() throws(StorageError) -> Bool {
        let count = Int(min(UInt64(Self.window), end - min(position.offset, end)))
        let (file, offset) = (file, position.offset)
        let bytes = try describing("Reading the journal") { () throws(SystemCallError) in
            try file.read(count: count, at: offset)
        }
        return bytes.withRawSpan { $0.isZero }
    }

    /// Moves to the next frame with an intact header behind the damage at the position.
    ///
    /// - Returns: `false` when there is none.
    mutating func skipDamage() throws(StorageError) -> Bool {
        var offset = position.offset + 8
        while offset + UInt64(FrameHeader.byteCount) <= end {
            position.offset = offset
            guard try load(FrameHeader.byteCount) else { return false }
            let at = Int(offset - bufferStart)
            let header = buffer.withBytes(0..<buffer.count) {
                FrameHeader($0, at: at, salt: salt, offset: offset)
            }
            if let header, header.number > position.number || header.kind != .transaction {
                let before = header.number.rawValue - (header.kind == .transaction ? 1 : 0)
                position.number = SequenceNumber(before)
                position.chain = nil
                return true
            }
            offset += 8
        }
        return false
    }

    private static func greatestWatermark(
        in bytes: RawSpan,
        at offset: UInt64,
        salt: UInt64
    ) -> (isZero: Bool, watermark: SequenceNumber) {
        if bytes.isZero { return (true, .zero) }
        var watermark = SequenceNumber.zero
        for start in stride(from: 0, to: bytes.byteCount, by: 8) {
            let header = FrameHeader(bytes, at: start, salt: salt, offset: offset + UInt64(start))
            if let header { watermark = max(watermark, header.watermark) }
        }
        return (false, watermark)
    }
}
