public import HoldfastStorage

/// How a store is opened.
public struct StoreOptions: Sendable {
    /// What the opener wants to do.
    public enum Access: Hashable, Sendable {
        /// Read and write; the store is made when nothing stands at the path.
        case create
        /// Read and write a store that exists.
        case write
        /// Read a store that exists, and follow the process that writes it, if one does. Nothing on
        /// the disk is changed.
        case read
    }

    /// What the opener wants to do.
    public var access: Access
    /// What a commit survives when the write does not say.
    public var durability: Durability
    /// Whether queries use the declared indexes, which live in memory: opening builds each of them.
    ///
    /// Without them a store opens faster, which suits reading a record or writing a few; every
    /// query gives the same and visits its table, and so does each write of a record that has
    /// values in a unique index. An index is declared all the same, for the next open.
    public var usesIndexes: Bool
    /// What mints the ids of records that are put without one.
    public var ids: RecordIDGenerator
    /// Called in the course of a migration, on the cooperative pool: when a step begins, and after
    /// each 1,000 records that it visits with the transaction's helpers.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// The disk, the timer and the randomness under the store, and the sizes of its files.
    ///
    /// ``access`` decides whether a missing store is made, whatever stands here.
    public var journal: JournalConfiguration

    /// The options; the defaults suit an app.
    public init(
        access: Access = .create,
        durability: Durability = .synced,
        usesIndexes: Bool = true,
        ids: RecordIDGenerator = .system,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil,
        journal: JournalConfiguration = JournalConfiguration()
    ) {
        self.access = access
        self.durability = durability
        self.usesIndexes = usesIndexes
        self.ids = ids
        self.progress = progress
        self.journal = journal
    }
}
