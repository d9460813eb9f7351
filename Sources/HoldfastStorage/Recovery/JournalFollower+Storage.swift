import Synchronization

extension JournalFollower {
    /// The newest state that ``refresh()`` has found.
    public func snapshot() throws(StorageError) -> any StorageSnapshot {
        TreeSnapshot(try shownRoot(), reading: files)
    }

    /// Throws `.readOnly`.
    @concurrent
    @discardableResult
    public func write<Result>(
        _ durability: Durability,
        _ body: sending (any StorageTransaction) throws -> sending Result
    ) async throws -> sending (result: Result, sequenceNumber: SequenceNumber) {
        throw StorageError(
            .readOnly,
            "The store is open for reading only; open it for writing.",
            path: files.directory.path
        )
    }

    /// Builds the indexes over what is shown, and keeps them as it follows.
    @concurrent
    public func setIndexes(_ definitions: [IndexDefinition]) async throws {
        try state.withLock { state throws(StorageError) in
            _ = try shownRoot()
            let woken =
                state.dormant?.woken(definitions, in: state.root, changeReader, files) ?? []
            try state.root.setIndexes(definitions, waking: woken, reading: files)
            state.dormant = nil
            shown.withLock { $0.root = state.root }
        }
    }

    /// The transactions after a number, up to what is shown.
    public func changes(
        after number: SequenceNumber,
        limit: Int
    ) throws(StorageError) -> [Commit] {
        let last = try shownRoot().sequenceNumber
        do throws(StorageError) {
            return try changeReader.commits(after: number, through: last, limit: limit)
        } catch  where error.code == .inputOutput {
            try noteRetirements()
            return try changeReader.commits(after: number, through: last, limit: limit)
        }
    }

    /// Lists the segments again that are gone: the writer may have given some up since.
    private func noteRetirements() throws(StorageError) {
        let retired = try files.directory.retiredSegments(store: store)
        var map = changeReader.map
        map.headers.removeAll { retired.numbers.contains($0.number) }
        map.retired = retired
        changeReader.follow(map)
    }

    /// Waits until the writer has committed something after `number`, looking again and again.
    @concurrent
    public func waitForCommit(after number: SequenceNumber) async throws -> SequenceNumber {
        while true {
            try Task.checkCancellation()
            let last = try refresh()
            if last > number { return last }
            await configuration.scheduler.pause(for: Self.pollInterval)
        }
    }

    /// Ends the following; snapshots that are held stay readable.
    @concurrent
    public func close() async throws {
        shown.withLock { shown in
            shown.isClosed = true
            shown.root = StorageRoot()
        }
    }
}
