import HoldfastStorage

/// What commits are told to.
protocol CommitObserver: AnyObject, Sendable {
    /// The tables whose changes count.
    var tables: Set<TableName> { get }

    /// Begins at a snapshot: every later commit is told.
    func begin(at snapshot: any StorageSnapshot)

    /// Takes in what commits changed in the observer's tables, maybe nothing, up to those of a
    /// snapshot, and wakes the consumer if it has to do with it.
    ///
    /// It is told all of them or, by ``noteAll(upTo:)``, that anything may have changed: an
    /// evaluation on a snapshot that is newer than what was told would miss what lies between.
    func note(_ changes: TableChanges, upTo snapshot: any StorageSnapshot)

    /// Takes in that any record may have changed, up to a snapshot.
    func noteAll(upTo snapshot: any StorageSnapshot)

    /// Takes in that no commit will be told any more.
    func end(_ error: any Error)
}
