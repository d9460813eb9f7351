import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// What a test looks at.
extension Replica {
    func get(_ id: RecordID, in table: TableName = "notes") throws -> JSONObject? {
        try store.read { try $0.get(id, in: table) }
    }

    func records(in table: TableName = "notes") throws -> [JSONObject] {
        try store.read { try $0.records(in: table) }
    }

    var status: SyncStatus {
        get throws { try store.read { try $0.syncStatus(machine.activity, at: now) } }
    }

    func status(of id: RecordID, in table: TableName = "notes") throws -> RecordStatus {
        try store.read { transaction in
            try transaction.recordStatus(RecordReference(table, id)) { _ in [] }
        }
    }

    var mutations: [Mutation] { get throws { try store.read { try $0.mutations() } } }

    /// The decisions of the ledger that have come here.
    var ledger: [LedgerEntry] {
        get throws {
            try records(in: LedgerEntry.table).map { try LedgerEntry(json: $0) }
        }
    }

    func count(_ kind: ServerFault.RequestKind) -> Int { sent.count { $0.kind == kind } }

    /// Every mutation that was sent, as often as it was.
    var operations: [PushOperation] {
        get throws {
            try pushes.flatMap { try $0.operations.map { try PushOperation(text: $0.text) } }
        }
    }

    /// An answer of the server that the replica follows, with these results.
    func response(_ results: [PushResult]) -> PushResponse? {
        let client = try? store.read { try $0.clientState() }
        guard let dataset = client?.dataset, let epoch = client?.epoch else { return nil }
        return PushResponse(dataset: dataset, epoch: epoch, results: results)
    }

    var pushes: [PushRequest] {
        sent.compactMap { if case .push(let request) = $0 { request } else { nil } }
    }
}

extension SyncMachine.Outgoing {
    /// The mutations of a push.
    var operations: [PushOperation] {
        get throws {
            guard case .push(let request) = request else { return [] }
            return try request.operations.map { try PushOperation(text: $0.text) }
        }
    }
}

extension ReadTransaction {
    /// The outbox in its order.
    func mutations() throws -> [Mutation] {
        var mutations: [Mutation] = []
        try scanMutations { mutation in
            mutations.append(mutation)
            return true
        }
        return mutations
    }
}

extension Store {
    /// Checks that records and outbox say the same: each record is its base with its mutations, and
    /// each mutation is a record's.
    func checkSyncState() throws {
        try read { transaction in
            var count = 0
            try transaction.scanSystem(SyncKey.all(.record)) { key, value in
                let record = try #require(SyncKey.record(of: key))
                let state = try SyncRecord(value)
                let mutations = try transaction.mutations(of: state)
                count += mutations.count
                #expect(mutations.allSatisfy { $0.record == record })
                let local = try transaction.get(record.id, in: record.table)
                if state.isClean {
                    #expect((local == nil) == state.isDeleted, "\(record)")
                } else {
                    #expect(local == mutations.applied(to: state.base), "\(record)")
                }
                return true
            }
            #expect(try transaction.pendingCount() == count)
        }
    }
}
