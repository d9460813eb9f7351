/// One committed transaction, as the change feed gives it.
public struct Commit: Hashable, Sendable {
    /// Its position in the journal.
    public let sequenceNumber: SequenceNumber
    /// What it changed, in the order of its writes; a key may stand more than once.
    public let changes: [Change]

    /// Describes a committed transaction.
    public init(sequenceNumber: SequenceNumber, changes: [Change]) {
        self.sequenceNumber = sequenceNumber
        self.changes = changes
    }
}

/// One key's change in a transaction.
public struct Change: Hashable, Sendable {
    /// The key that changed.
    public let key: [UInt8]
    /// The new value; `nil` when the key was removed.
    public let value: [UInt8]?

    /// Describes a change.
    public init(key: [UInt8], value: [UInt8]?) {
        self.key = key
        self.value = value
    }
}
