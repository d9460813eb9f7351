import Holdfast

extension EngineCore {
    /// Makes sure that the store belongs to the engine's account.
    ///
    /// - Throws: ``SyncError`` `.otherAccount`.
    func requireAccount() throws {
        guard let account, let owner = try store.read({ try $0.clientState() })?.account else {
            return
        }
        if owner != account { throw SyncError.otherAccount }
    }

    /// Stores whether the account is signed out.
    func seal(_ isSealed: Bool) async throws {
        let (environment, account) = (environment, account)
        let replica = store.replicaID?.description ?? ""
        try await store.writeUnrecorded(.synced) { transaction in
            var client =
                try transaction.clientState()
                ?? ClientState(client: ClientID(environment.ids.next().text), replica: replica)
            client.account = client.account ?? account
            client.isSealed = isSealed
            try transaction.set(client)
        }
    }
}

extension SyncMachine {
    /// Notes the account, the first one of the store.
    func belong(to account: String?) async throws {
        guard let account, client.account == nil else { return }
        client.account = account
        try await save(client)
    }
}
