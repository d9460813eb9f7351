import HoldfastStorage

/// The commits of a store from a number on, without end.
///
/// It reads the journal as it goes and throws ``StoreError`` `.changesCompacted` when it has fallen
/// behind what the journal keeps, `.closed` when the store is closed.
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
    public struct Iterator: AsyncIteratorProtocol {
        let store: Store
        var last: SequenceNumber
        var ready: ArraySlice<StoreCommit> = []

        init(store: Store, last: SequenceNumber) {
            self.store = store
            self.last = last
        }

        /// The next commit; waits for it where there is none yet.
        public mutating func next() async throws -> StoreCommit? {
            while ready.isEmpty {
                ready = try store.commits(after: last)[...]
                if ready.isEmpty { _ = try await store.waitForCommit(after: last) }
            }
            let commit = ready.popFirst()
            if let commit { last = commit.sequenceNumber }
            return commit
        }
    }
}
