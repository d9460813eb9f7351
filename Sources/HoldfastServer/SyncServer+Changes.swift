import Holdfast
public import HoldfastSync

extension SyncServer {
    /// A page of a scope's history behind a cursor: each record's newest state, at its place.
    ///
    /// It answers at once, whatever the request allows to wait.
    ///
    /// - Parameters:
    ///   - request: The scope, the tables and the cursor.
    ///   - principal: Who asks.
    /// - Returns: The page.
    /// - Throws: ``ServerRefusal``, with status 403 for a scope that the principal does not see, and
    ///   410 for a cursor that is of no use any more: take a snapshot.
    /// - Complexity: O(page * log n), and O(k) for k results that are kept for the client.
    public func changes(
        _ request: ChangesRequest,
        principal: Principal
    ) async throws(ServerRefusal) -> ChangesPage {
        let scopes = try scopes(of: principal)
        return try ServerRefusal.refusing {
            try store.read { transaction in
                let dataset = try Self.dataset(transaction)
                try check(request.client, request.dataset, against: dataset)
                try Self.require(request.scope, among: scopes)
                var feed = FeedReader(
                    scope: request.scope,
                    tables: request.tables.map { Set($0) },
                    limit: max(1, min(request.limit, configuration.maximumPage)),
                    byteLimit: configuration.maximumPageBytes,
                    form: form(of:noted:)
                )
                let (position, last) = try Self.position(of: request, dataset, transaction)
                var end = position
                if position.sequence < last {
                    feed.mine = try transaction.mine(of: request.client, principal)
                    try feed.read(after: position.sequence, in: transaction)
                    end.sequence = feed.end
                }
                return ChangesPage(
                    dataset: dataset.dataset,
                    epoch: dataset.epoch,
                    scopes: scopes,
                    changes: feed.changes,
                    cursor: end.cursor,
                    hasMore: feed.hasMore
                )
            }
        }
    }

    static func require(_ scope: ScopeName, among scopes: [ScopeName]) throws {
        if scopes.contains(scope) { return }
        throw ServerRefusal(403, ProblemType.scopeRevoked, "The scope is not yours.")
    }

    /// Where a request goes on, if its cursor is good for that, and where the history ends.
    private static func position(
        of request: ChangesRequest,
        _ dataset: DatasetRecord,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> (start: FeedPosition, last: Int64) {
        let start = FeedPosition(dataset.epoch, request.scope, request.tables, sequence: 0)
        let position = request.cursor.map { FeedPosition($0) } ?? start
        let known = try transaction.scopeRecord(request.scope)
        guard let position, position.binding == start.binding, position.sequence >= known.floor,
            position.sequence <= known.sequence
        else { throw ServerRefusal.cursorExpired }
        return (position, known.sequence)
    }
}

extension ServerRefusal {
    static let cursorExpired = ServerRefusal(
        410,
        ProblemType.cursorExpired,
        "The server cannot go on from this cursor; take a snapshot."
    )
}

extension Transaction where Self: ~Copyable {
    /// The keys of a client that are kept and whose effects stand in records.
    func mine(
        of client: ClientID,
        _ principal: Principal
    ) throws -> [RecordReference: [MutationKey]] {
        var mine: [RecordReference: [MutationKey]] = [:]
        try scanSystem(ServerKey.sent(by: client, of: principal)) { _, value in
            let sent = try SentRecord(value)
            if sent.hasEffect { mine[sent.record, default: []].append(sent.key) }
            return true
        }
        return mine
    }
}
