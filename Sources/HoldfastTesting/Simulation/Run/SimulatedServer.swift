import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// The server of a simulation, with what can go wrong with it.
final class SimulatedServer {
    /// A status that everything, or each push, is answered with.
    private struct Outage {
        let status: Int
        let pushesOnly: Bool
        let start: Duration
    }

    private let simulation: Simulation
    private let fake: FakeServer
    private let policy: SimulatedPolicy
    private let surroundings: SimulatedReplica.Surroundings
    let ids: RecordIDGenerator
    private var outage: Outage?
    private var backup: FakeServer.Backup?
    private var serials = (outage: 0, quota: 0, refusing: 0)
    /// The last commit that was taken into the history.
    private(set) var sequence = SequenceNumber.zero
    /// Whether it was set back to a backup.
    private(set) var wasRestored = false
    /// The principals that have lost a scope.
    private var restricted: Set<String> = []
    /// What another device would see; it follows the server when it is used.
    private let device: Store
    /// The records that changed since; `nil` for any.
    private var changedForDevice: Set<RecordReference>?

    init(_ simulation: Simulation, principals: [String], seed: UInt64) async throws {
        self.simulation = simulation
        let surroundings = SimulatedReplica.Surroundings(seed: seed)
        self.surroundings = surroundings
        ids = RecordIDGenerator(
            clock: { surroundings.trueMilliseconds },
            randomness: { surroundings.random() }
        )
        policy = SimulatedPolicy(scopes: simulation.scopes, principals: principals)
        var configuration = SyncServerConfiguration()
        policy.configure(&configuration, scope: simulation.scope)
        configuration.clock = { surroundings.milliseconds }
        configuration.ids = ids
        configuration.faults = simulation.faults
        fake = try await FakeServer(
            schema: simulation.schema,
            configuration: configuration,
            codesMessages: simulation.options.codesMessages
        )
        let tables = simulation.schema.tables.map { table in
            var table = table
            table.recording = nil
            return table
        }
        device = try await Store(
            storage: MemoryStorage(),
            schema: try Schema(version: 1, tables: tables),
            ids: ids
        )
    }

    var store: Store { fake.store }

    func milliseconds(at now: Duration) -> Int64 {
        surroundings.set(now)
        return surroundings.milliseconds
    }

    /// The answer to a request that has reached it.
    func answer(
        _ outgoing: SyncMachine.Outgoing,
        from replica: SimulatedReplica,
        at now: Duration
    ) async -> Result<SyncAnswer, TransportFailure> {
        surroundings.set(now)
        if let outage, !outage.pushesOnly || outgoing.request.isPush {
            return .failure(TransportFailure(.refused(status: outage.status)))
        }
        do throws(TransportFailure) {
            return .success(
                try await fake.answer(outgoing.request, as: Principal(replica.principal))
            )
        } catch {
            return .failure(error)
        }
    }

    /// The commits that were not taken yet.
    func newCommits() throws -> [StoreCommit] {
        let commits = try store.commits(after: sequence, limit: .max)
        sequence = commits.last?.sequenceNumber ?? sequence
        for change in commits.lazy.flatMap(\.changes) {
            changedForDevice?.insert(RecordReference(change.table, change.id))
        }
        return commits
    }
}

/// What goes wrong with it, and what it forgets.
extension SimulatedServer {
    func beginOutage(status: Int, pushesOnly: Bool, at now: Duration) -> Int {
        outage = Outage(status: status, pushesOnly: pushesOnly, start: now)
        serials.outage += 1
        return serials.outage
    }

    func endOutage(_ serial: Int) {
        if serials.outage == serial { outage = nil }
    }

    /// Since when it fails at pushes alone, in a way that is no reason to stop.
    var pushesFailSince: Duration? {
        guard let outage, outage.pushesOnly, ![401, 404].contains(outage.status) else { return nil }
        return outage.start
    }

    func beginQuota() -> Int {
        policy.isFull = true
        serials.quota += 1
        return serials.quota
    }

    func endQuota(_ serial: Int) {
        if serials.quota == serial { policy.isFull = false }
    }

    func beginRefusing() -> Int {
        policy.isRefusing = true
        serials.refusing += 1
        return serials.refusing
    }

    func endRefusing(_ serial: Int) {
        if serials.refusing == serial { policy.isRefusing = false }
    }

    func heal() {
        outage = nil
        policy.isFull = false
        policy.isRefusing = false
    }

    /// Whether a principal has ever lost a scope.
    func hasRevoked(from principal: String) -> Bool { restricted.contains(principal) }

    /// The version of a record that a principal sees; `nil` for one that is not there.
    func version(of record: RecordReference, for principal: String) async -> RecordVersion? {
        let request = RecordsRequest(
            client: ClientID(principal),
            table: record.table,
            ids: [record.id]
        )
        guard
            case .records(let page)? = try? await fake.answer(
                .records(request),
                as: Principal(principal)
            )
        else { return nil }
        return page.records.first?.version
    }

    func revoke(_ place: Int, from principal: String) {
        restricted.insert(principal)
        policy.set(simulation.scopes[place], isVisible: false, to: principal)
    }

    func grant(_ place: Int, to principal: String) {
        policy.set(simulation.scopes[place], isVisible: true, to: principal)
    }

    func purge() async throws { try await fake.purgeTombstones() }

    func collectKeys() async throws { try await fake.forgetResults() }

    func backUp() throws { backup = try fake.backup() }

    /// - Returns: Whether there was a backup.
    func restore() async throws -> Bool {
        guard let backup else { return false }
        self.backup = nil
        try await fake.restore(backup)
        wasRestored = true
        changedForDevice = nil
        sequence = try store.sequenceNumber
        return true
    }
}

/// Another device, whose edits reach the server at once.
extension SimulatedServer {
    /// Does what a person does at it.
    ///
    /// - Returns: Whether something came of it.
    @discardableResult
    func operate(
        _ operation: SimulatedOperation,
        _ person: SimulatedPerson
    ) async throws -> Bool {
        try await refreshDevice()
        let before = try device.sequenceNumber
        do {
            try await device.write { transaction in
                var person = person
                try operation.body(&transaction, &person)
            }
        } catch {
            return false
        }
        for commit in try device.commits(after: before, limit: .max) {
            let changes = commit.changes
            try await fake.write { transaction in
                for change in changes {
                    if let record = change.record {
                        try transaction.put(record, of: change.id, in: change.table)
                    } else {
                        try transaction.delete(change.id, in: change.table)
                    }
                }
            }
        }
        return true
    }

    private func refreshDevice() async throws {
        let tables = Set(simulation.schema.tables.map(\.name))
        let changed: Set<RecordReference>
        if let known = changedForDevice {
            changed = known.filter { tables.contains($0.table) }
        } else {
            let all = try [store, device].map { try $0.syncedRecords(tables.sorted()).keys }
            changed = Set(all.joined())
        }
        let wanted = try store.read { transaction in
            try changed.map { ($0, try transaction.get($0.id, in: $0.table)) }
        }
        changedForDevice = []
        if wanted.isEmpty { return }
        try await device.writeUnrecorded { transaction in
            for (record, object) in wanted {
                if let object {
                    try transaction.putDocument(object, of: record.id, in: record.table)
                } else {
                    try transaction.deleteDocument(of: record.id, in: record.table)
                }
            }
        }
    }
}

extension SyncRequest {
    var isPush: Bool { if case .push = self { true } else { false } }
}
