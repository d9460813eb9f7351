import Holdfast
import HoldfastStorage
import HoldfastTesting
import Synchronization

/// Real processes that edit, sync and serve, while they are killed and their connections cut.
final class SyncTorture {
    /// What happens to a connection is drawn where it is made, on another thread.
    private final class Chances: Sendable {
        private let random: Mutex<SplitMix64>
        /// Whether everything is let through.
        let isCalm = Atomic(false)

        init(seed: UInt64) { random = Mutex(SplitMix64(seed: seed)) }

        var cut: FaultProxy.Cut {
            if isCalm.load(ordering: .relaxed) { return FaultProxy.Cut() }
            return random.withLock { random in
                let bytes = Int.random(in: 0...4_000, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: return FaultProxy.Cut(afterSending: bytes)
                case 1, 2: return FaultProxy.Cut(afterReceiving: bytes)
                default: return FaultProxy.Cut()
                }
            }
        }
    }

    private let workplace: SyncTortureProcesses
    private let chances: Chances
    private var random: SplitMix64
    private var proxy: FaultProxy?
    private var server: ServerProcess
    /// The syncs that run, by their client.
    private var syncs: [Int: ChildProcess] = [:]
    /// Every field that was acknowledged, by its record.
    private var acknowledged: [String: JSONObject] = [:]
    /// The records that a client has made itself.
    private var own: [Int: [String]] = [:]
    private var number: Int64 = 0
    private(set) var report = SyncTortureReport()

    init(seed: UInt64, clients: Int) throws {
        random = SplitMix64(seed: seed)
        workplace = try SyncTortureProcesses(clients: clients)
        server = try ServerProcess(store: workplace.serverStore)
        report.seed = seed
        let chances = Chances(seed: seed ^ 0x5DEE_CE66)
        self.chances = chances
        proxy = try FaultProxy(before: server.port) { _ in chances.cut }
    }

    deinit {
        for child in syncs.values { child.kill() }
        try? server.kill()
    }

    /// Runs for so long, then lets everything come to rest and compares.
    ///
    /// - Throws: What cannot be done at all; what was lost stands in the report.
    func run(for duration: Duration, _ progress: ProgressBar) async throws {
        let start = ContinuousClock.now
        let length = UInt64(duration.seconds)
        while start.duration(to: .now) < duration {
            try Task.checkCancellation()
            try step()
            report.elapsed = start.duration(to: .now)
            progress.update(
                UInt64(report.elapsed.seconds),
                of: length,
                "\(report.edits.grouped) edits, \(report.kills.grouped) kills"
            )
            // What was begun runs on for a moment, and is met at another point.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
        }
        try comeToRest()
    }

    /// Removes everything, unless something was lost.
    func clean() {
        if report.isGood { workplace.remove() }
    }

    private func step() throws {
        let client = Int.random(in: 0..<workplace.clients, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            try server.kill()
            server = try ServerProcess(store: workplace.serverStore, port: server.port)
            report.killedServers += 1
        case 1: proxy?.cutAll()
        default: try turn(of: client)
        }
    }

    /// A client syncs, is killed while it does, or edits.
    private func turn(of client: Int) throws {
        if let sync = syncs.removeValue(forKey: client) {
            if Bool.random(using: &random) {
                sync.kill()
                report.killedClients += 1
            }
            try sync.wait()
            return
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(client) }
        syncs[client] = try workplace.sync(client, at: proxy?.port ?? 0, timeout: 2)
        report.syncs += 1
    }

    /// An edit of a field that nobody else ever writes, so that it has to be there in the end.
    private func edit(_ client: Int) throws {
        number += 1
        let field = "f\(number)"
        let known = own[client] ?? []
        let isNew = known.isEmpty || Int.random(in: 0..<4, using: &random) == 0
        let id = isNew ? "r\(number)" : known[Int.random(in: 0..<known.count, using: &random)]
        var fields: JSONObject = [field: .integer(number)]
        let isDone: Bool
        if isNew {
            fields["id"] = .string(id)
            isDone = try workplace.put(fields, in: client)
        } else {
            isDone = try workplace.patch(id, fields, in: client)
        }
        guard isDone else { throw Failure("client \(client) could not write its own store") }
        if isNew { own[client, default: []].append(id) }
        // A record grows by fields: after some, another one takes its place.
        if known.count > 40 { own[client]?.removeFirst() }
        acknowledged[id, default: [:]][field] = .integer(number)
        report.edits += 1
    }

    private func comeToRest() throws {
        chances.isCalm.store(true, ordering: .relaxed)
        proxy?.cutAll()
        for sync in syncs.values { try sync.wait() }
        syncs = [:]
        // What one sends in the first round, the others receive in the second.
        for _ in 0..<2 {
            for client in 0..<workplace.clients {
                let sync = try workplace.sync(client, at: proxy?.port ?? 0, timeout: 300)
                if try sync.wait() != .exited(0) { report.unsynced += 1 }
            }
        }
        try server.stop()
        let truth = try workplace.records(of: workplace.serverStore)
        for client in 0..<workplace.clients {
            let records = try workplace.records(of: workplace.store(client))
            if records != truth { report.unequal += 1 }
        }
        for (id, fields) in acknowledged {
            let record = truth[id] ?? [:]
            report.lost += fields.count { record[$0.name] != $0.value }
        }
        report.records = truth.count
        report.connections = proxy?.count ?? 0
        report.directory = workplace.directory.path
    }
}
