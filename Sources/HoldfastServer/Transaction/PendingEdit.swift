import Holdfast
import HoldfastSync

/// What a transaction has written and not yet stored: taken back by putting an older copy in its
/// place.
struct PendingEdit: Sendable {
    /// The records that were read or written.
    var slots: [RecordReference: RecordSlot] = [:]
    /// Those that were written, in the order of their first write.
    var written: [RecordReference] = []
    /// The newest version.
    var head: RecordVersion

    init(head: RecordVersion) { self.head = head }

    /// The next version.
    mutating func nextVersion() throws -> RecordVersion {
        guard head.number < .max else {
            throw StoreError(.transactionTooLarge, "The dataset has no versions left.")
        }
        head = RecordVersion(head.number + 1)
        return head
    }

    /// Puts a changed record in its place.
    mutating func set(_ slot: RecordSlot, of record: RecordReference) {
        if !slot.isChanged { written.append(record) }
        var slot = slot
        slot.isChanged = true
        slots[record] = slot
    }
}
