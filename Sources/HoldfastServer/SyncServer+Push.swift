import Holdfast
public import HoldfastSync

extension SyncServer {
    /// Applies mutations, each group at once or not at all, and answers for each.
    ///
    /// What it answers for good is stored with the effects, in one transaction: the same mutation,
    /// sent again, has no second effect and gets the same answer.
    ///
    /// - Parameters:
    ///   - request: The mutations.
    ///   - principal: Who sends them.
    /// - Returns: One result for each mutation, in their order.
    /// - Throws: ``ServerRefusal``: nothing was done, or, with status 500 or 503, what was done is
    ///   unknown.
    public func push(
        _ request: PushRequest,
        principal: Principal
    ) async throws(ServerRefusal) -> PushResponse {
        let incoming = try check(request)
        let visible = Set(try scopes(of: principal))
        do {
            return try await push(incoming, of: request, principal, visible)
        } catch {
            throw ServerRefusal(error)
        }
    }

    private func push(
        _ incoming: [IncomingOperation],
        of request: PushRequest,
        _ principal: Principal,
        _ visible: Set<ScopeName>
    ) async throws -> PushResponse {
        let context = PushContext(
            server: self,
            principal: principal,
            client: request.client,
            visible: visible
        )
        return try await run(author: request.client, principal: principal) { transaction in
            try Self.check(request.epoch, against: transaction.dataset)
            var session = PushSession(context)
            let results = try session.apply(
                incoming,
                acknowledgedThrough: request.acknowledgedThrough,
                in: &transaction
            )
            return PushResponse(
                dataset: transaction.dataset.dataset,
                epoch: transaction.dataset.epoch,
                results: results
            )
        }
    }

    /// Refuses what was sent to the history before: it is asked of the one that stands here by the
    /// transaction itself, so that no restore comes between.
    private static func check(_ epoch: EpochID?, against dataset: DatasetRecord) throws {
        guard let epoch, epoch != dataset.epoch else { return }
        throw ServerRefusal(
            409,
            ProblemType.epochChanged,
            "The server was restored from a backup since; ask hello which history it has now."
        )
    }

    private func check(_ request: PushRequest) throws(ServerRefusal) -> [IncomingOperation] {
        try ServerRefusal.refusing {
            let dataset = try store.read { try Self.dataset($0) }
            try check(request.client, request.dataset, against: dataset)
            let bytes = request.operations.reduce(0) { $0 + $1.text.count }
            guard request.operations.count <= configuration.maximumOperations,
                bytes <= configuration.maximumBytes
            else {
                throw ServerRefusal(413, ProblemType.tooLarge, "The push is too large; halve it.")
            }
            return try request.operations.enumerated().map { place, operation in
                do {
                    return try IncomingOperation(operation)
                } catch {
                    throw ServerRefusal(400, ProblemType.invalid, "ops/\(place): \(error)")
                }
            }
        }
    }
}
