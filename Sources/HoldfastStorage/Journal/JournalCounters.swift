import Synchronization

/// What a store's writer has done since the store was opened.
final class JournalCounters: Sendable {
    let groups = Atomic<UInt64>(0)
    let writes = Atomic<UInt64>(0)
    let bytes = Atomic<UInt64>(0)
    let syncs = Atomic<UInt64>(0)
    let movedEntries = Atomic<UInt64>(0)
    let movedBytes = Atomic<UInt64>(0)
    let retiredSegments = Atomic<UInt64>(0)

    /// Counts a write, of no bytes for none.
    func countWrite(_ count: Int) {
        if count == 0 { return }
        writes.add(1, ordering: .relaxed)
        bytes.add(UInt64(count), ordering: .relaxed)
    }
}
