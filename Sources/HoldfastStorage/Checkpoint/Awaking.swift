/// Indexes of a checkpoint on their way to a newer state.
///
/// A key's old entries follow from the state of the checkpoint, the new ones from the newer state:
/// a key that was written more than once is done when its last write is met.
struct Awaking {
    private static let batch = 256

    let base: DormantIndexes
    let head: StorageRoot
    let files: SegmentFiles
    var indexes: [SecondaryIndex] = []

    mutating func catchUp(_ changes: ChangeReader) throws(StorageError) {
        var number = base.root.sequenceNumber
        while number < head.sequenceNumber {
            let commits = try changes.commits(
                after: number,
                through: head.sequenceNumber,
                limit: Self.batch
            )
            for commit in commits {
                for change in commit.changes {
                    try unsafe apply(change, of: commit.sequenceNumber, change.key.span.bytes)
                }
                number = commit.sequenceNumber
            }
        }
    }

    private mutating func apply(
        _ change: Change,
        of number: SequenceNumber,
        _ key: RawSpan
    ) throws(StorageError) {
        guard indexes.contains(where: { $0.definition.range.contains(key) }) else { return }
        let location = try head.records.withPayload(for: key) { EntryLocation($0) }
        // A later write of the key is to come.
        if let location, location.number != number { return }
        let old = try base.root.value(for: key, reading: files)
        let new = try location == nil ? nil : head.value(for: key, reading: files)
        for index in indexes.indices where indexes[index].definition.range.contains(key) {
            var edit = IndexEdit(index: index, removed: entries(of: old, key, index))
            if new != nil { edit.replace(with: entries(of: new, key, index)) }
            for entry in edit.removed { try indexes[index].remove(entry) }
            for entry in edit.added {
                try indexes[index].insert(entry, recordBytes: key.byteCount)
            }
        }
    }

    private func entries(of value: [UInt8]?, _ key: RawSpan, _ index: Int) -> [[UInt8]] {
        guard let value else { return [] }
        return unsafe indexes[index].entryKeys(of: key, value.span.bytes)
    }
}
