/// A state of a store that a checkpoint is to be written of.
package struct CheckpointImage: Sendable {
    let store: StoreID
    /// The state, which is durable in the journal.
    let root: StorageRoot
    /// Where the journal's end was when the state was taken.
    let position: JournalPosition
    /// Where the frame before that starts; 0 where none is.
    let frame: UInt64
    let segments: [SegmentSummary]
    let retired: [RetiredRange]

    package init(
        store: StoreID,
        root: StorageRoot,
        position: JournalPosition,
        frame: UInt64,
        segments: [SegmentSummary],
        retired: [RetiredRange]
    ) {
        self.store = store
        self.root = root
        self.position = position
        self.frame = frame
        self.segments = segments
        self.retired = retired
    }
}
