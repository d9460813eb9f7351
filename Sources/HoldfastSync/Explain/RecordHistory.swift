public import Holdfast
public import HoldfastStorage

/// What became of one record, and why: from the journal, from what sync stores, and from the ledger.
public struct RecordHistory: Hashable, Sendable {
    /// A commit that wrote the record.
    public struct Event: Hashable, Sendable {
        /// The commit.
        public let sequenceNumber: SequenceNumber
        /// The record as the commit left it; `nil` where it deleted it.
        public let record: JSONObject?
    }

    /// The commits that the journal still has, the oldest first.
    public let events: [Event]
    /// How far the record and the server are apart.
    public let status: RecordStatus
    /// The version that both sides agree on; `nil` when the server never had the record.
    public let baseVersion: RecordVersion?
    /// What waits to be sent, a line for each.
    public let waiting: [String]
    /// What was decided about the record.
    public let decisions: [LedgerEntry]
}
