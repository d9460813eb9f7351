import HoldfastStorage

/// What commits are told to.
protocol CommitObserver: AnyObject, Sendable {
    /// The table whose changes count.
    var table: TableName { get }

    /// Takes in what a commit changed in the table, and wakes the consumer if it has to do with it.
    func note(_ changes: [Change])

    /// Takes in that any record may have changed.
    func noteAll()

    /// Takes in that no commit will be told any more.
    func end(_ error: any Error)
}
