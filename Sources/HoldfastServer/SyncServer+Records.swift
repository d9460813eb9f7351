import Holdfast
public import HoldfastSync

extension SyncServer {
    /// Single records, as far as the principal sees them.
    ///
    /// - Parameters:
    ///   - request: The table and the ids.
    ///   - principal: Who asks.
    /// - Returns: The records that are there and visible, in the order of the request.
    /// - Throws: ``ServerRefusal``, with status 413 for more ids than a page has records.
    public func records(
        _ request: RecordsRequest,
        principal: Principal
    ) async throws(ServerRefusal) -> RecordsPage {
        let scopes = Set(try scopes(of: principal))
        return try ServerRefusal.refusing {
            guard request.ids.count <= configuration.maximumPage else {
                throw ServerRefusal(413, ProblemType.tooLarge, "Ask for fewer records at once.")
            }
            return try store.read { transaction in
                let dataset = try Self.dataset(transaction)
                try check(request.client, nil, against: dataset)
                let mine = try transaction.mine(of: request.client, principal)
                let records = try request.ids.compactMap { id in
                    let record = RecordReference(request.table, id)
                    return try change(of: record, in: scopes, transaction, mine)
                }
                return RecordsPage(
                    dataset: dataset.dataset,
                    epoch: dataset.epoch,
                    records: records
                )
            }
        }
    }

    private func change(
        of record: RecordReference,
        in scopes: Set<ScopeName>,
        _ transaction: borrowing some Transaction & ~Copyable,
        _ mine: [RecordReference: [MutationKey]]
    ) throws -> ServerChange? {
        let slot = try transaction.slot(of: record)
        guard let metadata = slot.metadata, let object = slot.object,
            scopes.contains(metadata.scope)
        else { return nil }
        return ServerChange(
            scope: metadata.scope,
            record: record,
            version: metadata.version,
            sequence: metadata.sequence,
            kind: .put,
            form: form(of: record, noted: metadata.form),
            fields: object,
            mine: mine[record] ?? []
        )
    }
}
