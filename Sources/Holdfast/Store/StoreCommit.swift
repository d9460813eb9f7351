public import HoldfastStorage

/// One committed transaction: what it did to records.
public struct StoreCommit: Hashable, Sendable {
    /// Its position in the journal.
    public let sequenceNumber: SequenceNumber
    /// The changes in the order of the writes; a record may stand more than once.
    ///
    /// They are empty for a transaction that declared an index or a table and wrote no record.
    public let changes: [RecordChange]
}

extension StoreCommit {
    /// The engine's commit, without what the store writes for itself.
    init(_ commit: Commit) throws {
        sequenceNumber = commit.sequenceNumber
        changes = try commit.changes.compactMap { try RecordChange($0) }
    }
}
