import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// One run of a ``Simulation``: replicas, a server, and the events between them, by virtual time.
final class SimulationRun {
    /// Everything is looked at after so many steps of the script.
    private static let checkInterval = 50

    let simulation: Simulation
    let script: SimulationScript
    let server: SimulatedServer
    var replicas: [SimulatedReplica]
    var history: EditHistory
    var network: SimulatedNetwork
    var queue = EventQueue<SimulationEvent>()
    var trace: SimulationTrace
    var report = SimulationReport()
    var now = Duration.zero
    /// The names of operations, with what they do.
    let operations: [String: SimulatedOperation]
    let rules: [TableName: SyncRules]
    /// The tables that replicas have to agree on, in order.
    let tables: [TableName]
    var wire = WireAudit()
    /// What each mutation that was sent may contain, and when it first was.
    var mutationEdits: [MutationKey: (record: RecordReference, edits: Set<Int>, since: Duration)] =
        [:]
    /// Whether persons read their devices' clocks, which may be wrong.
    let clocksMatterToPersons: Bool
    /// Whether the script is over, and nothing helps the replicas but their clocks.
    var isSettling = false
    private var stepCount = 0
    /// The script's next step.
    private var nextStep = 0

    init(
        _ simulation: Simulation,
        _ script: SimulationScript,
        isTraced: Bool = false,
        clocksMatterToPersons: Bool = true
    ) async throws {
        self.clocksMatterToPersons = clocksMatterToPersons
        self.simulation = simulation
        self.script = script
        var random = SplitMix64(seed: script.seed ^ 0x5EED)
        replicas = (0..<script.replicas).map { SimulatedReplica(number: $0, seed: random.next()) }
        history = EditHistory(replicas: script.replicas)
        network = SimulatedNetwork(seed: random.next())
        trace = SimulationTrace(keepsLines: isTraced)
        operations = Dictionary(simulation.operations.map { ($0.name, $0) }) { first, _ in first }
        rules = simulation.schema.tables.reduce(into: [:]) { rules, table in
            rules[table.name] = table.syncRules
        }
        tables = (rules.keys + [LedgerEntry.table]).sorted()
        server = try await SimulatedServer(
            simulation,
            principals: replicas.map(\.principal),
            seed: random.next()
        )
    }

    /// Runs the script to its end, and on until all has come to rest.
    ///
    /// - Throws: ``SimulationFinding``.
    func run() async throws -> SimulationReport {
        for replica in replicas {
            queue.add(.start(replica: replica.number, life: 0), at: .zero)
        }
        let end = script.steps.last?.time ?? .zero
        try await runEvents(until: end)
        try await settle()
        try await auditEverything()
        report.runs = 1
        report.simulatedTime = now
        report.traceHash = trace.hash.value
        return report
    }

    /// Lets everything happen that is due by then; of a step and another event at one moment the
    /// step comes first.
    func runEvents(until end: Duration) async throws {
        while true {
            if nextStep < script.steps.count, case let step = script.steps[nextStep],
                step.time <= min(end, queue.nextTime ?? end)
            {
                nextStep += 1
                now = max(now, step.time)
                try await perform(step)
                try checkNowAndThen()
            } else if let time = queue.nextTime, time <= end, let next = queue.next() {
                now = max(now, next.time)
                try await handle(next.event)
            } else {
                break
            }
        }
        now = max(now, end)
    }

    private func handle(_ event: SimulationEvent) async throws {
        switch event {
        case .start(let number, let life):
            guard replicas[number].life == life else { return }
            try await start(replicas[number])
        case .arrival(let arrival): try await arrive(arrival)
        case .answer(let answer): try await deliver(answer)
        case .credentials(let number, let life):
            guard replicas[number].life == life else { return }
            replicas[number].tokenNumber += 1
            replicas[number].isFetchingCredentials = false
            try await tell(replicas[number], .credentials(replicas[number].credentials))
        case .wake(let number, let life, let serial):
            guard replicas[number].life == life, replicas[number].wakeSerial == serial else {
                return
            }
            try await tell(replicas[number], .woke)
        case .poke(let number, let scopes):
            guard replicas[number].conditions.link == .open else { return }
            try await trigger(.poke(scopes), at: replicas[number])
        case .overdueCrash(let number, let life):
            let replica = replicas[number]
            guard replica.life == life, replica.crash != nil else { return }
            try await crash(replica, at: replica.disk.image())
        case .end(let ending): try await end(ending)
        }
    }

    /// Everything that has changed is looked at now and then.
    func checkNowAndThen() throws {
        stepCount += 1
        try requirePulls()
        guard stepCount.isMultiple(of: Self.checkInterval) else { return }
        for replica in replicas where replica.sequence != replica.checkedSequence {
            try checkAll(replica)
        }
    }

    private func end(_ ending: SimulationEvent.Ending) async throws {
        switch ending {
        case .network(let number, let serial):
            let replica = replicas[number]
            guard replica.networkSerial == serial else { return }
            let wasOpen = replica.conditions.link == .open
            replica.conditions = .good
            // Not every reconnection is noticed.
            if !wasOpen, serial.isMultiple(of: 2) {
                try await trigger(.reconnect, at: replica)
            }
        case .disk(let number, let serial):
            if replicas[number].diskSerial == serial { replicas[number].disk.capacity = nil }
        case .outage(let serial):
            try requirePulls()
            server.endOutage(serial)
        case .quota(let serial): server.endQuota(serial)
        case .refusing(let serial): server.endRefusing(serial)
        case .revocation(let number, let place):
            server.grant(place, to: replicas[number].principal)
            excuseRevoked(replicas[number], place)
            // Whoever noticed that it was lost begins anew.
            replicas[number].cursors.forget(simulation.scopes[place])
        }
    }

    /// Ends everything that makes syncing hard.
    func heal() async throws {
        server.heal()
        for replica in replicas {
            replica.conditions = .good
            replica.networkSerial += 1
            replica.disk.capacity = nil
            replica.crash = nil
            for place in simulation.scopes.indices {
                server.grant(place, to: replica.principal)
            }
        }
    }
}
