import Holdfast
import HoldfastStorage

extension SyncMachine {
    /// Reads what is known of this replica, or makes it.
    ///
    /// A store that was restored from a backup gets a new name: the mutations that its former life
    /// sent under the old one are not to be mistaken for its own.
    static func openClient(
        _ store: Store,
        _ configuration: SyncConfiguration,
        _ environment: SyncEnvironment
    ) async throws -> ClientState {
        let replica = store.replicaID?.description ?? ""
        let stored = try store.read { try $0.clientState() }
        let version = store.schema?.version ?? 0
        let keepsClient = configuration.faults.contains(.backupKeepsClient)
        if let stored, stored.replica == replica || keepsClient { return stored }
        return try await store.writeUnrecorded(.synced) { transaction in
            var state =
                stored
                ?? ClientState(client: ClientID(environment.ids.next().text), replica: replica)
            state.client = ClientID(environment.ids.next().text)
            state.replica = replica
            if stored == nil { state.schema = version }
            try transaction.set(state)
            try transaction.doubtMutations()
            return state
        }
    }

    /// Reads again what another process may have written while the store was suspended: it may have
    /// sent, been answered, pulled, and decided what this one asks.
    ///
    /// An answer that is still awaited counts for what is there when it comes.
    package func catchUp() async throws {
        let resumptions = store.resumptions
        client = try await Self.openClient(store, configuration, environment)
        outstanding = try store.read { try OutstandingMutations($0) }
        try updateRestoring()
        pull.beginHistory()
        connection = .unknown
        if case .dataset = pause { pause = nil }
        try await link()
        try await update()
        push.want(at: now)
        pull.want(at: now)
        self.resumptions = resumptions
    }

    /// Goes on under a new name: the server no longer knows what became of the old one's mutations.
    func renewClient() async throws {
        client.client = ClientID(environment.ids.next().text)
        try await save(client)
    }
}

extension WriteTransaction {
    /// What waits in a backup may have been sent after the backup was made; what was sent may have
    /// been answered, and sent again under another key.
    fileprivate mutating func doubtMutations() throws {
        var mutations: [Mutation] = []
        try scanMutations { mutation in
            mutations.append(mutation)
            return true
        }
        for var mutation in mutations {
            switch mutation.state {
            case .queued, .sent: mutation.isFromBackup = true
            case .attention where mutation.frozen == nil && !mutation.change.hasBase:
                mutation.doubtOutcome()
            case .attention: continue
            }
            try set(mutation)
        }
    }
}
