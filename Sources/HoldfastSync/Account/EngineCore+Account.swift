import Holdfast

extension EngineCore {
    /// Makes sure that the store belongs to the engine's account.
    ///
    /// Signing in again opens what signing out sealed.
    ///
    /// - Throws: ``SyncError`` `.otherAccount`.
    func openAccount() async throws {
        guard let account, var client = try store.read({ try $0.clientState() }) else { return }
        if let owner = client.account, owner != account { throw SyncError.otherAccount }
        guard client.isSealed else { return }
        client.isSealed = false
        let opened = client
        try await store.writeUnrecorded(.synced) { try $0.set(opened) }
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
