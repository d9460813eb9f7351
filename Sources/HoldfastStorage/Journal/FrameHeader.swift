/// The 48 bytes before a frame's payload (FORMAT.md, "Frame").
package struct FrameHeader: Hashable, Sendable {
    package enum Kind: UInt16, Sendable {
        /// One transaction; its number is the predecessor's plus one.
        case transaction = 1
        /// Repeats the last number, to carry a newer watermark.
        case mark = 2
        /// Repeats the last number; nothing follows in this segment.
        case seal = 3
        /// Entries that compaction has taken over from other segments; repeats the last number.
        case moves = 4
    }

    package static let byteCount = 48

    package var kind: Kind
    /// The payload's length in bytes, without the padding behind it.
    package var payloadLength: Int
    package var epoch: UInt32
    package var number: SequenceNumber
    /// The greatest number that was known to be durable when the frame was built.
    package var watermark: SequenceNumber
    /// The hash of the frame before, or of the segment's header.
    package var chain: UInt64
    package var payloadCheck: UInt64

    /// The bytes from this frame's start to the next one's.
    package var frameLength: Int { Self.frameLength(payload: payloadLength) }

    package static func frameLength(payload: Int) -> Int { byteCount + (payload + 7) & ~7 }
}

extension FrameHeader {
    /// Writes the header over the bytes that were reserved for it at `start`, as it stands at
    /// `offset` of a segment with `salt`.
    ///
    /// The header's check covers salt and offset, so that a frame of another segment, or of another
    /// place in this one, is never taken for one of this place.
    func overwrite(in buffer: inout ByteBuffer, at start: Int, salt: UInt64, offset: UInt64) {
        buffer.overwrite(kind.rawValue, at: start + 4)
        buffer.overwrite(UInt16(0), at: start + 6)
        buffer.overwrite(UInt32(payloadLength), at: start + 8)
        buffer.overwrite(epoch, at: start + 12)
        buffer.overwrite(number.rawValue, at: start + 16)
        buffer.overwrite(watermark.rawValue, at: start + 24)
        buffer.overwrite(chain, at: start + 32)
        buffer.overwrite(payloadCheck, at: start + 40)
        let check = buffer.withBytes(start + 4..<start + Self.byteCount) { bytes in
            Self.check(of: bytes, salt: salt, offset: offset)
        }
        buffer.overwrite(check, at: start)
    }

    /// Reads the header at `start` of `bytes`, or `nil` where none stands there.
    init?(_ bytes: RawSpan, at start: Int, salt: UInt64, offset: UInt64) {
        guard bytes.byteCount - start >= Self.byteCount,
            let kind = Kind(rawValue: bytes.integer(at: start + 4)),
            bytes.integer(at: start + 6, as: UInt16.self) == 0
        else { return nil }
        let body = bytes.extracting(start + 4..<start + Self.byteCount)
        guard bytes.integer(at: start) == Self.check(of: body, salt: salt, offset: offset)
        else { return nil }
        self.init(
            kind: kind,
            payloadLength: Int(bytes.integer(at: start + 8, as: UInt32.self)),
            epoch: bytes.integer(at: start + 12),
            number: SequenceNumber(bytes.integer(at: start + 16)),
            watermark: SequenceNumber(bytes.integer(at: start + 24)),
            chain: bytes.integer(at: start + 32),
            payloadCheck: bytes.integer(at: start + 40)
        )
    }

    private static func check(of body: RawSpan, salt: UInt64, offset: UInt64) -> UInt32 {
        let seed = salt ^ (offset &* 0x9e37_79b9_7f4a_7c15)
        return CRC32C.checksum(of: body, seed: UInt32(truncatingIfNeeded: seed ^ seed >> 32))
    }

    /// What the next frame's `chain` has to be after the header in these 48 bytes.
    static func chain(after header: RawSpan, salt: UInt64) -> UInt64 {
        XXH64.hash(of: header, seed: salt)
    }

    /// What `payloadCheck` has to be.
    static func payloadCheck(of payload: RawSpan, salt: UInt64, number: SequenceNumber) -> UInt64 {
        XXH64.hash(of: payload, seed: salt ^ number.rawValue)
    }
}
