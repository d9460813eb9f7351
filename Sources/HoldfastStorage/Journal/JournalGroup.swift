/// The transactions that share one write and one sync.
struct JournalGroup: Sendable {
    /// What has to be written before the frames.
    var rotation: Rotation?
    var segment: UInt32
    var offset: UInt64
    var bytes: [UInt8] = []
    /// Whether one of them leaves less than it found.
    var frees = false
    /// The strongest durability that one of them asks for.
    var durability = Durability.buffered
    /// The state after the last of them.
    var root: StorageRoot
    /// The journal's end after the last of them.
    var end: JournalTail
    /// The queue's ticket of the last of them.
    var lastTicket: UInt64 = 0
    /// Whether one of them changes the state.
    var holdsUpdates = false
    /// The greatest watermark in it.
    var watermark = SequenceNumber.zero

    /// Whether the group's bytes hold this place.
    func holds(_ location: EntryLocation) -> Bool {
        location.segment == segment && UInt64(location.offset) >= offset
            && UInt64(location.offset) + UInt64(location.length) <= offset + UInt64(bytes.count)
    }

    func value(at location: EntryLocation, for key: RawSpan) -> [UInt8]? {
        let start = Int(UInt64(location.offset) - offset)
        return unsafe FrameEntry.value(
            in: bytes.span.bytes.extracting(start..<start + Int(location.length)),
            for: key,
            number: location.number
        )
    }

    mutating func strengthen(to other: Durability) {
        switch (durability, other) {
        case (.synced, _), (_, .buffered): break
        default: durability = other
        }
    }
}
