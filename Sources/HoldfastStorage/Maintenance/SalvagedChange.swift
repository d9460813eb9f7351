/// A change that was read from a damaged store.
struct SalvagedChange {
    /// The transaction that wrote it.
    var number: SequenceNumber
    var key: [UInt8]
    /// The value; `nil` for a removal.
    var value: [UInt8]?
    /// Whether compaction had moved it away from the rest of its transaction.
    var isMoved: Bool

    fileprivate init(
        _ entry: FrameEntry,
        in bytes: RawSpan,
        _ number: UInt64,
        isMoved: Bool = false
    ) {
        self.number = SequenceNumber(number)
        self.isMoved = isMoved
        key = [UInt8](bytes.extracting(entry.key))
        value = entry.value.map { [UInt8](bytes.extracting($0)) }
    }
}

extension [SalvagedChange] {
    /// Appends the changes of every intact entry in a frame's payload.
    mutating func append(in payload: RawSpan, of header: FrameHeader) {
        let isTransaction = header.kind == .transaction
        append(in: payload, isTransaction ? header.number...header.number : nil)
    }

    /// Appends the changes of every intact entry in bytes that may be anything.
    ///
    /// An entry's check is seeded by its transaction's number alone, so that an entry is found
    /// without the frame around it. The number comes from a frame's header, right or not, is one of
    /// the next behind the last entry's, or stands before an entry that was moved.
    mutating func append(in bytes: RawSpan, _ numbers: ClosedRange<SequenceNumber>?) {
        var number = numbers?.lowerBound.rawValue ?? 0
        let last = numbers?.upperBound.rawValue
        var position = 0
        while position < bytes.byteCount {
            if let last, let claimed = Self.claimedNumber(in: bytes, at: position, number, last) {
                number = claimed
                position += FrameHeader.byteCount
            } else if let last,
                let found = FrameEntry.intact(in: bytes, at: position, number, last)
            {
                append(SalvagedChange(found.entry, in: bytes, found.number))
                number = found.number
                position = found.entry.bytes.upperBound
            } else if let found = FrameEntry.moved(in: bytes, at: position) {
                append(SalvagedChange(found.entry, in: bytes, found.number, isMoved: true))
                position = found.entry.bytes.upperBound
            } else {
                position += 1
            }
        }
    }

    /// The number that a frame's header seems to say, if the first entry behind it bears it out.
    private static func claimedNumber(
        in bytes: RawSpan,
        at position: Int,
        _ least: UInt64,
        _ greatest: UInt64
    ) -> UInt64? {
        guard position % 8 == 0, bytes.byteCount - position > FrameHeader.byteCount,
            bytes.integer(at: position + 4, as: UInt32.self)
                == UInt32(FrameHeader.Kind.transaction.rawValue)
        else { return nil }
        let number: UInt64 = bytes.integer(at: position + 16)
        guard number >= least, number <= greatest,
            let entry = FrameEntry(bytes, at: position + FrameHeader.byteCount),
            entry.isIntact(in: bytes, number: SequenceNumber(number))
        else { return nil }
        return number
    }
}

extension FrameEntry {
    /// The furthest that an entry's writer is looked for behind the last one's: damage takes few
    /// transactions at once.
    private static let reach: UInt64 = 16

    /// An intact entry that stands with the number of its transaction before it.
    fileprivate static func moved(
        in bytes: RawSpan,
        at position: Int
    ) -> (entry: FrameEntry, number: UInt64)? {
        var position = position
        guard let number = bytes.longVarint(at: &position),
            let entry = FrameEntry(bytes, at: position),
            entry.isIntact(in: bytes, number: SequenceNumber(number))
        else { return nil }
        return (entry, number)
    }

    fileprivate static func intact(
        in bytes: RawSpan,
        at position: Int,
        _ number: UInt64,
        _ greatest: UInt64
    ) -> (entry: FrameEntry, number: UInt64)? {
        guard let entry = FrameEntry(bytes, at: position) else { return nil }
        let last = Swift.max(number, min(greatest, number &+ reach))
        for candidate in number...last
        where entry.isIntact(in: bytes, number: SequenceNumber(candidate)) {
            return (entry, candidate)
        }
        return nil
    }
}
