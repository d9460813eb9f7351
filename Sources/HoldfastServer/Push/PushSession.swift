import Holdfast
import HoldfastStorage
import HoldfastSync

/// One push, inside of its transaction: from mutations to results.
struct PushSession {
    let context: PushContext
    /// Every mutation of the client up to this number was finished and forgotten.
    private(set) var collectedThrough: Int64 = 0

    init(_ context: PushContext) { self.context = context }

    /// Applies mutations in their order, a group at the place of its first one.
    mutating func apply(
        _ operations: [IncomingOperation],
        acknowledgedThrough: Int64,
        in transaction: inout ServerTransaction
    ) throws -> [PushResult] {
        try collect(through: acknowledgedThrough, in: &transaction)
        var results: [PushResult?] = Array(repeating: nil, count: operations.count)
        for place in operations.indices where results[place] == nil {
            guard let group = operations[place].operation.group else {
                results[place] = try settle(operations[place], in: &transaction)
                continue
            }
            let places = operations.indices.filter { operations[$0].operation.group == group }
            let members = places.map { operations[$0] }
            for (place, result) in zip(places, try settle(group: members, in: &transaction)) {
                results[place] = result
            }
        }
        return results.compactMap(\.self)
    }

    // MARK: Single mutations

    private mutating func settle(
        _ incoming: IncomingOperation,
        in transaction: inout ServerTransaction
    ) throws -> PushResult {
        if let known = try known(incoming, in: &transaction) { return known }
        if let refused = schemaRefusal(incoming.operation) { return refused }
        let evaluation = OperationEvaluation(context: context, incoming: incoming, before: nil)
        let result = try evaluation.run(in: &transaction)
        try keep(result, of: incoming, in: &transaction)
        return result
    }

    /// The result of a mutation that need not, or must not, be applied.
    private func known(
        _ incoming: IncomingOperation,
        in transaction: inout ServerTransaction
    ) throws -> PushResult? {
        let operation = incoming.operation
        let key = ServerKey.key(operation.key, of: context.principal)
        if let bytes = try transaction.transaction.systemValue(for: key) {
            switch try KeyRecord(bytes, of: operation.key) {
            case .result(let stored): return stored.replay(for: incoming.fingerprint)
            case .marker: return .expired(operation.key)
            }
        }
        return operation.sequence <= collectedThrough ? .expired(operation.key) : nil
    }

    /// A mutation of a version of the app that is too old, or too new.
    private func schemaRefusal(_ operation: PushOperation) -> PushResult? {
        if let form = context.server.form, operation.form > form {
            return .deferred(operation.key, Self.schemaAhead)
        }
        guard let schemas = context.server.configuration.schemas, operation.schema != 0 else {
            return nil
        }
        if operation.schema < schemas.lowerBound {
            return .rejected(
                operation.key,
                SyncProblem(
                    type: ProblemType.upgradeRequired,
                    detail: "The server takes versions of the app's schema from"
                        + " \(schemas.lowerBound) on."
                )
            )
        }
        guard operation.schema > schemas.upperBound else { return nil }
        return .deferred(operation.key, Self.schemaAhead)
    }

    private static let schemaAhead = SyncProblem(
        type: ProblemType.schemaAhead,
        detail: "The server does not know this version of the app's schema yet."
    )

    // MARK: Groups

    private mutating func settle(
        group: [IncomingOperation],
        in transaction: inout ServerTransaction
    ) throws -> [PushResult] {
        let before = transaction.edit
        var results: [PushResult] = []
        var unknown: [Int] = []
        for (place, incoming) in group.enumerated() {
            if let known = try known(incoming, in: &transaction) {
                results.append(known)
                continue
            }
            unknown.append(place)
            if let refused = schemaRefusal(incoming.operation) {
                results.append(refused)
                continue
            }
            let evaluation = OperationEvaluation(
                context: context,
                incoming: incoming,
                before: before
            )
            results.append(try evaluation.run(in: &transaction))
        }
        for place in unknown where results[place].status.isEffect {
            let record = group[place].operation.record
            let old = try before.slots[record] ?? transaction.storedSlot(of: record)
            let evaluation = OperationEvaluation(
                context: context,
                incoming: group[place],
                before: before
            )
            if let failure = try evaluation.parentFailure(over: old.object, in: &transaction) {
                results[place] = failure.result(group[place].operation.key, old)
            }
        }
        // A member whose refusal is known from before holds the others back as well.
        if results.contains(where: { !($0.original ?? $0.status).isEffect }) {
            transaction.edit = before
            for place in unknown {
                let result = results[place]
                if result.status.isEffect {
                    results[place] = .deferred(result.key, Self.groupFailed)
                } else if result.status == .conflict {
                    // It may have met what the group itself wrote before.
                    let slot = try transaction.slot(of: group[place].operation.record)
                    results[place] = .conflict(result.key, with: slot, result.problem)
                }
            }
        }
        for place in unknown { try keep(results[place], of: group[place], in: &transaction) }
        return results
    }

    /// None of a group is applied where one cannot be; the others wait for it as they are.
    private static let groupFailed = SyncProblem(
        type: ProblemType.groupFailed,
        detail: "Another change of the same group could not be applied, so none was."
    )

    // MARK: Keys

    /// Forgets the results that the client has acknowledged.
    private mutating func collect(
        through sequence: Int64,
        in transaction: inout ServerTransaction
    ) throws {
        let clientKey = ServerKey.client(context.client, of: context.principal)
        let known = try transaction.transaction.systemValue(for: clientKey)
        if let known {
            var reader = MetadataReader(known)
            collectedThrough = try reader.number()
        }
        guard sequence > collectedThrough else { return }
        collectedThrough = sequence
        let keys = ServerKey.sent(by: context.client, of: context.principal, through: sequence)
        try transaction.collect(keys, of: context.principal)
        var writer = MetadataWriter(reserving: 10)
        writer.append(sequence)
        try transaction.transaction.putSystem(writer.bytes, for: clientKey)
    }

    /// Keeps a final result under its key.
    private mutating func keep(
        _ result: PushResult,
        of incoming: IncomingOperation,
        in transaction: inout ServerTransaction
    ) throws {
        let faults = context.server.configuration.faults
        let isKept =
            result.status.isFinal
            || result.status == .deferred && faults.contains(.deferredResultsStored)
        guard isKept, !faults.contains(.resultsNotStored) else { return }
        let operation = incoming.operation
        let stored = StoredResult(
            fingerprint: incoming.fingerprint,
            client: context.client,
            sequence: operation.sequence,
            time: transaction.now,
            result: result
        )
        try transaction.transaction.putSystem(
            KeyRecord.result(stored).bytes,
            for: ServerKey.key(operation.key, of: context.principal)
        )
        let sent = SentRecord(
            key: operation.key,
            record: operation.record,
            hasEffect: result.status.isEffect,
            countsTwice: operation.kind == .delta || operation.kind == .action
        )
        try transaction.transaction.putSystem(
            sent.bytes,
            for: ServerKey.sent(operation.sequence, by: context.client, of: context.principal)
        )
    }
}

extension ServerTransaction {
    /// Forgets the results of a client's mutations; of those that would count twice, the key stays.
    mutating func collect(_ keys: KeyRange, of principal: Principal) throws {
        var sent: [SentRecord] = []
        try transaction.scanSystem(keys) { _, value in
            sent.append(try SentRecord(value))
            return true
        }
        for record in sent {
            let key = ServerKey.key(record.key, of: principal)
            guard record.countsTwice else {
                try transaction.deleteSystem(key)
                continue
            }
            guard let bytes = try transaction.systemValue(for: key) else { continue }
            let time = try KeyRecord(bytes, of: record.key).time
            try transaction.putSystem(KeyRecord.marker(time: time).bytes, for: key)
        }
        if !sent.isEmpty { try transaction.deleteSystem(in: keys) }
    }
}
