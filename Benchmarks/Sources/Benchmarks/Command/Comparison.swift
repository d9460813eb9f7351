import Foundation

/// Runs the same work on every engine, in turns.
struct Comparison {
    private static let loadBatch = 10_000
    private static let checks = 1_000
    private static let turns = 8

    private let options: Options
    private let plan: Plan
    private let directory: String
    private let kinds: [EngineKind]
    private let source: NoteSource

    init(_ options: Options, at directory: String) {
        self.options = options
        self.directory = directory
        plan = Plan(options)
        kinds = options.engines.filter(\.isAvailable)
        source = NoteSource(seed: options.seed)
        for kind in options.engines where !kind.isAvailable {
            Console.message("\(kind.title) is not installed and is skipped; see Benchmarks/setup")
        }
    }

    func run(_ results: inout Results) async throws {
        guard plan.hasComparison else { return }
        var contenders: [Contender] = []
        for kind in kinds {
            let contender = try Contender(kind, in: directory, source)
            contenders.append(contender)
            try await load(contender, &results)
        }
        if plan.has(.memory) {
            for contender in contenders { try memory(contender, &results) }
        }
        if plan.hasRounds { try await rounds(contenders, &results) }
        if plan.has(.kill) {
            for _ in 0..<options.rounds {
                for contender in contenders { try await killed(contender, &results) }
            }
        }
    }

    // MARK: Filling the stores

    private func load(_ contender: Contender, _ results: inout Results) async throws {
        Console.message("\(contender.kind.title): loading \(options.records) records")
        let engine = try await contender.open().engine
        let figure = try await fill(engine, contender.ledger)
        if plan.has(.load) { results.add([figure], of: contender.kind) }
        try session(engine, contender, round: 0).check(Self.checks)
        try await engine.settle()
        let files = try engine.remarks().prefix(1).map { "after the load \($0)" }
        results.add(remarks: files, of: contender.kind)
        try await engine.close()
        if plan.has(.size) {
            let size = try directorySize(contender.path)
            let title = "size of all files after the load"
            results.add([.size("size", title, size)], of: contender.kind)
        }
    }

    private func fill<E: Engine>(_ engine: E, _ ledger: Ledger) async throws -> Figure {
        var watch = Stopwatch()
        while watch.count < options.records {
            let rows = try ledger.upcoming(min(Self.loadBatch, options.records - watch.count))
                .map { try engine.row($0) }
            try await watch.measure(rows.count) { try await engine.insert(rows) }
            ledger.inserted(rows.count)
        }
        return .rate("load", "bulk load, 10,000 a transaction", watch.count, in: watch.time)
    }

    // MARK: Rounds

    private func rounds(_ contenders: [Contender], _ results: inout Results) async throws {
        for round in 1...options.rounds {
            Console.message("round \(round) of \(options.rounds): opening")
            var sessions: [(kind: EngineKind, engine: any OpenEngine)] = []
            for contender in contenders {
                let engine = try await open(contender, round: round, &results)
                sessions.append((contender.kind, engine))
            }
            for workload in plan.workloads {
                Console.message("round \(round) of \(options.rounds): \(workload.name)")
                try await run(workload, sessions, &results)
            }
            for (kind, engine) in sessions {
                try engine.check(Self.checks)
                if round == options.rounds { results.add(remarks: try engine.remarks(), of: kind) }
                try await engine.close()
            }
        }
    }

    private func open(
        _ contender: Contender,
        round: Int,
        _ results: inout Results
    ) async throws -> any OpenEngine {
        let (engine, time) = try await contender.open()
        if plan.has(.open) {
            let title = "open after a clean close, with a first read"
            results.add([.time("openClean", title, time)], of: contender.kind)
        }
        let session = try session(engine, contender, round: round)
        if !plan.workloads.isEmpty { try session.warm() }
        return session
    }

    /// A little of the work for each engine, again and again: what else the machine does meanwhile
    /// meets them all.
    private func run(
        _ workload: any Workload,
        _ sessions: [(kind: EngineKind, engine: any OpenEngine)],
        _ results: inout Results
    ) async throws {
        for turn in 0..<(workload.isWhole ? 1 : Self.turns) {
            let first = turn % max(sessions.count, 1)
            for (kind, engine) in sessions[first...] + sessions[..<first] {
                results.add(try await engine.run(workload), of: kind)
            }
        }
    }

    private func session<E: Engine>(
        _ engine: E,
        _ contender: Contender,
        round: Int
    ) throws -> any OpenEngine {
        // The same choices for every engine of a round.
        let seed = options.seed &+ UInt64(round)
        let raw = try RawDisk(at: "\(contender.path).raw")
        let slice = options.slice / Self.turns
        return Session(engine, contender.ledger, raw: raw, slice: slice, seed: seed)
    }

    // MARK: Processes

    private func memory(_ contender: Contender, _ results: inout Results) throws {
        Console.message("\(contender.kind.title): memory")
        let data = try contender.child("memory", options)
        guard let memory = try? JSONDecoder().decode(ProcessMemory.self, from: data) else {
            Console.message("the memory of \(contender.kind.title) is not known")
            return
        }
        results.add(
            [
                .size("memoryPeak", "peak of resident memory, mapped files too", memory.peak),
                .size("memoryOwn", "memory of its own after that", memory.own),
            ],
            of: contender.kind
        )
    }

    private func killed(_ contender: Contender, _ results: inout Results) async throws {
        Console.message("\(contender.kind.title): kill")
        let output = try contender.child("kill", options)
        guard String(decoding: output, as: UTF8.self) == "acknowledged\n" else {
            throw Failure("the child that was to be killed failed")
        }
        contender.ledger.inserted(Child.killedNotes)
        let (engine, time) = try await contender.open()
        let title = "open after a kill behind 16 MiB of commits, with a first read"
        results.add([.time("openKilled", title, time)], of: contender.kind)
        try session(engine, contender, round: options.rounds).check(Self.checks)
        try await engine.close()
    }
}
