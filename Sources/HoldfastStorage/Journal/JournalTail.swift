/// Where the next frame goes, and what it has to carry.
struct JournalTail: Hashable {
    /// The header of the segment that is written.
    var header: SegmentHeader
    var offset: UInt64
    var chain: UInt64
    /// The last transaction's number.
    var number: SequenceNumber
    /// Raised whenever frames were given up, so that a stale one never fits behind a new one.
    var epoch: UInt32
    /// Where the segment should end.
    var capacity: UInt64
    /// Whether a seal was written, so that the next frame goes into the next segment.
    var isSealed = false

    /// Whether a frame of this length has to go into the next segment.
    ///
    /// A frame larger than a whole segment has one to itself, which then grows past its size.
    func needsRotation(for frameLength: Int) -> Bool {
        isSealed
            || offset > SegmentHeader.firstFrame
                && offset + UInt64(frameLength + FrameHeader.byteCount) > capacity
    }

    /// Builds the header of a frame, to stand at the end of the journal.
    func frameHeader(
        _ kind: FrameHeader.Kind,
        payload: RawSpan,
        watermark: SequenceNumber
    ) -> FrameHeader {
        let number = kind == .transaction ? number.next : number
        return FrameHeader(
            kind: kind,
            payloadLength: payload.byteCount,
            epoch: epoch,
            number: number,
            watermark: watermark,
            chain: chain,
            payloadCheck: FrameHeader.payloadCheck(of: payload, salt: header.salt, number: number)
        )
    }

    /// Completes the frame in `buffer`, whose header's bytes are reserved at its start, and moves
    /// behind it.
    mutating func seat(
        _ kind: FrameHeader.Kind,
        in buffer: inout ByteBuffer,
        watermark: SequenceNumber
    ) {
        let end = buffer.count
        let frame = buffer.withBytes(FrameHeader.byteCount..<end) {
            frameHeader(kind, payload: $0, watermark: watermark)
        }
        buffer.align()
        frame.overwrite(in: &buffer, at: 0, salt: header.salt, offset: offset)
        number = frame.number
        offset += UInt64(buffer.count)
        chain = buffer.withBytes(0..<FrameHeader.byteCount) {
            FrameHeader.chain(after: $0, salt: header.salt)
        }
    }

    /// Moves into the next segment, whose size follows the bytes that are live.
    ///
    /// - Returns: What has to be written before the first frame there.
    mutating func rotate(
        watermark: SequenceNumber,
        configuration: JournalConfiguration,
        live: UInt64
    ) -> Rotation {
        var seal: Rotation.Seal?
        if !isSealed {
            let start = offset
            var buffer = ByteBuffer(capacity: FrameHeader.byteCount)
            buffer.appendZeros(FrameHeader.byteCount)
            seat(.seal, in: &buffer, watermark: watermark)
            var bytes: [UInt8] = []
            buffer.copy(to: &bytes)
            seal = Rotation.Seal(bytes: bytes, offset: start)
            isSealed = true
        }
        let sealed = self
        header = SegmentHeader(
            store: header.store,
            number: header.number + 1,
            salt: configuration.random(),
            first: number.next,
            predecessorLength: offset,
            predecessorChain: chain
        )
        offset = SegmentHeader.firstFrame
        chain = header.chain()
        capacity = configuration.segmentBytes(live: live)
        isSealed = false
        return Rotation(seal: seal, sealed: sealed, started: self)
    }
}

/// What is written between the last frame of one segment and the first of the next.
struct Rotation {
    struct Seal {
        var bytes: [UInt8]
        var offset: UInt64
    }

    /// The seal, unless it stands already.
    var seal: Seal?
    /// The end of the journal once the seal stands and nothing behind it.
    var sealed: JournalTail
    /// The end of the journal once the next segment's header stands.
    var started: JournalTail
}
