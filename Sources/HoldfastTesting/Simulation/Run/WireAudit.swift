import HoldfastStorage
import HoldfastSync

/// What has to be true of the requests and answers themselves.
struct WireAudit {
    /// So many identical requests in a row, each after a failure, are too many in this time.
    private static let repetitions = 8
    private static let time = Duration.seconds(2)

    /// The text that a client sent under each key.
    private var texts: [MutationKey: [UInt8]] = [:]
    /// What the texts say.
    private var operations: [Text: PushOperation] = [:]
    /// The keys of the mutations that each client sent, by their numbers.
    private var numbers: [ClientID: [Int64: MutationKey]] = [:]
    /// The keys that have reached a server.
    private var arrived: Set<MutationKey> = []
    /// The keys that had an effect.
    private var effects: Set<MutationKey> = []
    /// The greatest number of each client whose mutation of a record had an effect.
    private var sequences: [ClientID: [RecordReference: Int64]] = [:]
    /// The flights of each replica, by request number.
    private var flights: [Int: [SyncMachine.RequestNumber: Lane]] = [:]
    private var last: [LaneOf: Repetition] = [:]

    /// A mutation's text, which is told from others by its first bytes: they hold the key.
    private struct Text: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes.count)
            for byte in bytes.dropFirst(8).prefix(40) { hasher.combine(byte) }
        }
    }

    fileprivate enum Lane: Hashable {
        case push
        case pull
        case other
    }

    private struct LaneOf: Hashable {
        let replica: Int
        let lane: Lane
    }

    private struct Repetition {
        let request: SyncRequest
        var times: [Duration]
        var hasFailed = false
    }

    /// The records of which the server, or a request's refusal, has said something that may need
    /// attention.
    private(set) var refused: Set<RecordReference> = []

    /// A request was refused as a whole, in a way that may be a mutation's own fault.
    mutating func refuses(_ request: SyncRequest) {
        guard case .push(let request) = request else { return }
        for operation in request.operations {
            if let record = self.operation(operation.text)?.record { refused.insert(record) }
        }
    }

    /// Mutations that the server took for forgotten ones when it saw them for the first time.
    private var unknown: [PushOperation] = []

    /// Those since the last call.
    mutating func takeUnknown() -> [PushOperation] {
        defer { unknown = [] }
        return unknown
    }

    /// What mutations that came into effect have discarded, and what somebody has given up.
    private(set) var discards: [LedgerEntry] = []

    /// Somebody has given up an entry of the ledger.
    mutating func giveUp(_ entry: LedgerEntry) { discards.append(entry) }

    /// A server that was restored has forgotten what it did.
    mutating func forgetEffects() {
        effects = []
        sequences = [:]
    }

    mutating func sends(
        _ outgoing: SyncMachine.Outgoing,
        from replica: SimulatedReplica,
        at now: Duration
    ) throws {
        guard outgoing.credentials.token?.hasPrefix(replica.principal + "/") == true else {
            throw SimulationFinding(
                .accountsAreApart,
                "Replica \(replica.number) sent a request with another account's token"
            )
        }
        if case .push(let request) = outgoing.request { try compareTexts(request, replica) }
        try countRepetition(outgoing, replica, now)
    }

    private mutating func compareTexts(
        _ request: PushRequest,
        _ replica: SimulatedReplica
    ) throws {
        for operation in request.operations {
            let decoded = try decode(operation.text)
            // A device that was set back does not know what it sent since, and the server refuses
            // a key that comes with other bytes.
            let mayDiffer = replica.wasRestored
            if let text = texts[decoded.key], text != operation.text, !mayDiffer {
                throw SimulationFinding(
                    .oneEffectPerMutation,
                    "The mutation \(decoded.key) was sent a second time with other bytes",
                    decoded.record
                )
            }
            texts[decoded.key] = operation.text
            try countOnce(decoded, of: request.client)
        }
    }

    /// The server forgets keys by their numbers: two of one number would be forgotten together.
    private mutating func countOnce(_ operation: PushOperation, of client: ClientID) throws {
        let known = numbers[client, default: [:]].updateValue(
            operation.key,
            forKey: operation.sequence
        )
        guard let known, known != operation.key else { return }
        throw SimulationFinding(
            .oneEffectPerMutation,
            "\(client) gave the mutations \(known) and \(operation.key) the same number",
            operation.record
        )
    }

    /// A mutation that was sent; `nil` for one that never was.
    func operation(_ text: [UInt8]) -> PushOperation? { operations[Text(bytes: text)] }

    private mutating func decode(_ text: [UInt8]) throws -> PushOperation {
        if let operation = operation(text) { return operation }
        do {
            let operation = try PushOperation(text: text)
            operations[Text(bytes: text)] = operation
            return operation
        } catch {
            throw SimulationFinding(.oneEffectPerMutation, "A mutation cannot be read: \(error)")
        }
    }

    private mutating func countRepetition(
        _ outgoing: SyncMachine.Outgoing,
        _ replica: SimulatedReplica,
        _ now: Duration
    ) throws {
        let lane = outgoing.request.lane
        flights[replica.number, default: [:]][outgoing.number] = lane
        let place = LaneOf(replica: replica.number, lane: lane)
        guard var repetition = last[place], repetition.hasFailed,
            repetition.request == outgoing.request
        else {
            last[place] = Repetition(request: outgoing.request, times: [now])
            return
        }
        repetition.times = repetition.times.suffix(Self.repetitions - 1) + [now]
        repetition.hasFailed = false
        last[place] = repetition
        if repetition.times.count == Self.repetitions,
            now - repetition.times[0] < Self.time
        {
            throw SimulationFinding(
                .retriesWait,
                "Replica \(replica.number) sent the same request \(Self.repetitions) times in"
                    + " \((now - repetition.times[0]).clockText)"
            )
        }
    }

    /// A trigger from outside may let a request go out again at once.
    mutating func triggered(_ replica: SimulatedReplica) {
        for lane in [Lane.push, .pull, .other] {
            last[LaneOf(replica: replica.number, lane: lane)] = nil
        }
    }

    mutating func answered(
        _ replica: SimulatedReplica,
        _ number: SyncMachine.RequestNumber,
        _ result: Result<SyncAnswer, TransportFailure>
    ) {
        guard let lane = flights[replica.number]?.removeValue(forKey: number),
            case .failure = result
        else { return }
        last[LaneOf(replica: replica.number, lane: lane)]?.hasFailed = true
    }

    /// One effect a key, in the order of each record, and groups whole.
    ///
    /// What a device sends again that was set back, and whose keys are collected, is an edit of
    /// today; but what counts must not count twice.
    mutating func answers(
        _ response: PushResponse,
        to request: PushRequest,
        from replica: SimulatedReplica
    ) throws {
        var groups: [String: (done: Int, not: Int)] = [:]
        let results = Dictionary(response.results.map { ($0.key, $0) }) { first, _ in first }
        for text in request.operations.map(\.text) {
            let operation = try decode(text)
            let isFirst = arrived.insert(operation.key).inserted
            guard let result = results[operation.key] else { continue }
            guard result.original != .deferred else {
                throw SimulationFinding(
                    .oneEffectPerMutation,
                    "The server has kept that it put a mutation off",
                    operation.record
                )
            }
            if isFirst, result.status == .expired { unknown.append(operation) }
            switch result.original ?? result.status {
            case .applied, .merged, .noop, .replayed: break
            case .conflict, .rejected, .deferred, .expired: refused.insert(operation.record)
            }
            let isDone = [.applied, .merged, .noop].contains(result.original ?? result.status)
            if isDone { discards += operation.ledger }
            if let group = operation.group {
                // Late copies of a request repeat answers of several times.
                groups[group, default: (0, 0)].done += isDone && result.status != .replayed ? 1 : 0
                groups[group, default: (0, 0)].not += isDone ? 0 : 1
            }
            guard result.status == .applied || result.status == .merged else { continue }
            if replica.wasRestored, [.put, .patch, .delete].contains(operation.kind) { continue }
            try effect(operation, of: request.client)
        }
        for (group, count) in groups where count.done > 0 && count.not > 0 {
            throw SimulationFinding(.orderIsKept, "The group \(group) was applied in part")
        }
    }

    private mutating func effect(_ operation: PushOperation, of client: ClientID) throws {
        guard effects.insert(operation.key).inserted else {
            throw SimulationFinding(
                .oneEffectPerMutation,
                "The mutation \(operation.key) had an effect a second time",
                operation.record
            )
        }
        // What was given up and is sent after all comes late; a step may.
        if operation.kind == .delta || operation.kind == .action { return }
        let last = sequences[client]?[operation.record] ?? 0
        // A copy of a request that was refused as a whole may come late, and meets its fields as they
        // were or not at all.
        guard operation.sequence > last || refused.contains(operation.record) else {
            throw SimulationFinding(
                .orderIsKept,
                "A mutation of \(client) came into effect after a later one of the same record",
                operation.record
            )
        }
        sequences[client, default: [:]][operation.record] = operation.sequence
    }
}

extension SyncRequest {
    fileprivate var lane: WireAudit.Lane {
        switch self {
        case .push: .push
        case .changes, .snapshot: .pull
        case .hello, .records: .other
        }
    }
}
