/// What the next sync would do about one record, found without doing it.
public struct PlannedStep: Hashable, Sendable {
    /// The kinds of steps.
    public enum Kind: Hashable, Sendable {
        /// Its changes are sent.
        case send
        /// What was sent is asked about again, since no answer came.
        case sendAgain
        /// It waits for somebody: the server refused it.
        case waitForAttention(SyncProblem)
        /// It waits for a decision, in these fields; in none, about the whole record.
        case waitForDecision(fields: [String])
        /// It waits for other records to be created first.
        case waitForRecords([RecordReference])
    }

    /// The record.
    public let record: RecordReference
    /// What would be done.
    public let kind: Kind
    /// How many changes of the record wait.
    public let changes: Int
}
