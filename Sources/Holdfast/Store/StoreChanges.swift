import HoldfastStorage

/// The commits of a store from a number on, without end.
///
/// It reads the journal as it goes, off the caller's actor, and throws ``StoreError``
/// `.changesCompacted` when it has fallen behind what the journal keeps, `.closed` when the store
/// is closed, `.corruption` at a commit that cannot be read back.
///
/// An iterator reads at most 16 commits at a time and holds those, whatever their size, until they
/// were asked for; a record is decoded when its commit is.
public struct StoreChanges: AsyncSequence, Sendable {
    let store: Store
    let start: SequenceNumber

    init(store: Store, after start: SequenceNumber) {
        self.store = store
        self.start = start
    }

    /// An iterator from the first commit on.
    public func makeAsyncIterator() -> Iterator { Iterator(store: store, last: start) }

    /// Reads the commits one after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        /// Few, since a commit may be large.
        private static let batchSize = 16

        let store: Store
        var last: SequenceNumber
        var ready: ArraySlice<Commit> = []

        init(store: Store, last: SequenceNumber) {
            self.store = store
            self.last = last
        }

        /// The next commit; waits for it where there is none yet.
        ///
        /// - Throws: `CancellationError` where it has to wait, or ``StoreError``; the iterator
        ///   stays where it is, so that no commit is passed over.
        @concurrent
        public mutating func next() async throws -> StoreCommit? {
            while true {
                if let next = ready.first {
                    let commit = try StoreCommit(next)
                    ready.removeFirst()
                    last = commit.sequenceNumber
                    return commit
                }
                ready = try store.storedCommits(after: last, limit: Self.batchSize)[...]
                if ready.isEmpty { _ = try await store.waitForCommit(after: last) }
            }
        }
    }
}
