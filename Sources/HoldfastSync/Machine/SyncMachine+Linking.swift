import Holdfast

extension SyncMachine {
    /// How many records a transaction of linking looks at.
    private static let linkBatch = 1_000

    /// Queues the records that were there before their tables were synced.
    ///
    /// It goes on where it was interrupted: a record that has a state of its own is passed over.
    func link() async throws {
        if client.isForgetting { try await forget() }
        for table in tables.names.sorted() where !client.linked.contains(table) {
            var last: RecordID?
            repeat { last = try await link(table, after: last) } while last != nil
            client.linked.insert(table)
            try await save(client)
        }
    }

    private func link(_ table: TableName, after id: RecordID?) async throws -> RecordID? {
        let linking = Linking(settling: settling, table: table, limit: Self.linkBatch)
        return try await store.writeUnrecorded(.buffered) {
            try linking.apply(after: id, to: &$0)
        }
    }

    /// Makes the store one of another dataset: all its records are sent there as new ones.
    ///
    /// - Parameter dataset: The one that answers now; with another one nothing is done.
    /// - Throws: `StoreError`; what was begun goes on with the next machine.
    package func accept(dataset: DatasetID) async throws {
        guard pause == .dataset(dataset) else { return }
        client.dataset = dataset
        client.epoch = nil
        client.restoredSince = nil
        client.lost = []
        client.linked = []
        client.isForgetting = true
        try await save(client)
        connection = .unknown
        try await link()
        pause = nil
        push.want(at: now)
        pull.want(at: now)
    }

    /// Forgets everything that was known of another dataset, in one commit: a local write in between
    /// must find all of it or nothing.
    private func forget() async throws {
        var renewed = client
        renewed.isForgetting = false
        let state = renewed
        try await store.writeUnrecorded(.synced) { transaction in
            // What was adopted is this store's own history, and no dataset's.
            for kind in SyncKey.Kind.allCases
            where kind != .client && kind != .adoption && kind != .link {
                try transaction.deleteSystem(in: SyncKey.all(kind))
            }
            try transaction.set(state)
        }
        client = renewed
        outstanding = OutstandingMutations()
        pull = PullLane(configuration)
        push.retryNow()
    }

    /// Confirms the removals that a pull stopped at.
    ///
    /// - Parameter set: Their name; with another one nothing is done.
    /// - Throws: `StoreError`; nothing is confirmed.
    package func accept(removals set: String) async throws {
        guard let removals = pull.stopped.values.first(where: { $0.set == set }) else { return }
        let scope = removals.scope
        try await store.writeUnrecorded(.synced) { transaction in
            var state = try transaction.scopeState(scope) ?? ScopeState()
            state.accepted = set
            try transaction.set(state, of: scope)
        }
        pull.stopped[scope] = nil
        pull.want(at: now)
    }
}
