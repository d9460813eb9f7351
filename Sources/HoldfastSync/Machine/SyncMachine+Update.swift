import Holdfast

extension SyncMachine {
    /// Looks, once for each version of the app, at what waits for a newer one.
    func update() async throws {
        guard client.schema != tables.version else { return }
        let update = SchemaUpdate(settling: settling)
        try await store.writeUnrecorded(.synced) { try update.apply(to: &$0) }
        client.schema = tables.version
        try await save(client)
    }
}
