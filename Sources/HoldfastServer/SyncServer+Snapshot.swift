import Holdfast
public import HoldfastSync

extension SyncServer {
    /// A page of a scope's records, in the order of their tables and ids, as they are now.
    ///
    /// - Parameters:
    ///   - request: The scope, the tables, and where the page before ended.
    ///   - principal: Who asks.
    /// - Returns: The page, with what was fixed before the first one.
    /// - Throws: ``ServerRefusal``, with status 403 for a scope that the principal does not see, and
    ///   410 for a snapshot that has to begin again.
    /// - Complexity: O(page * log n).
    public func snapshot(
        _ request: SnapshotRequest,
        principal: Principal
    ) async throws(ServerRefusal) -> SnapshotPage {
        let scopes = try scopes(of: principal)
        return try ServerRefusal.refusing {
            try store.read { transaction in
                let dataset = try Self.dataset(transaction)
                try check(request.client, request.dataset, against: dataset)
                try Self.require(request.scope, among: scopes)
                let position = try Self.position(of: request, dataset, transaction)
                var reader = SnapshotReader(
                    scope: request.scope,
                    tables: request.tables.map { Set($0).sorted() },
                    limit: max(1, min(request.limit, configuration.maximumPage)),
                    byteLimit: configuration.maximumPageBytes,
                    mine: try transaction.mine(of: request.client, principal),
                    form: form(of:noted:)
                )
                try reader.read(after: position.last, in: transaction)
                var next = position
                next.last = reader.records.last?.record
                return SnapshotPage(
                    dataset: dataset.dataset,
                    epoch: dataset.epoch,
                    lost: dataset.gaps.map {
                        RecordVersion($0.lowerBound)...RecordVersion($0.upperBound)
                    },
                    scopes: scopes,
                    head: position.head,
                    records: reader.records,
                    next: reader.hasMore ? next.cursor : nil,
                    cursor: FeedPosition(
                        dataset.epoch,
                        request.scope,
                        request.tables,
                        sequence: position.sequence
                    ).cursor
                )
            }
        }
    }

    /// Where a snapshot goes on: its history has to be the same, and nothing that changes after it
    /// would tell may have been purged.
    private static func position(
        of request: SnapshotRequest,
        _ dataset: DatasetRecord,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> SnapshotPosition {
        let binding = FeedPosition.binding(dataset.epoch, request.scope, request.tables)
        let known = try transaction.scopeRecord(request.scope)
        guard let after = request.after else {
            return SnapshotPosition(
                binding: binding,
                head: dataset.head,
                sequence: known.sequence
            )
        }
        guard let position = SnapshotPosition(after), position.binding == binding,
            position.sequence >= known.floor, position.sequence <= known.sequence
        else { throw ServerRefusal.cursorExpired }
        return position
    }
}
