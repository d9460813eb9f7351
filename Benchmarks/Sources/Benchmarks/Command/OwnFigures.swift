import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// What Holdfast alone does, observation and sync, with nothing to compare it with.
struct OwnFigures {
    private static let most = 100_000
    private static let observers = [0, 100, 1_000]

    private let options: Options
    private let plan: Plan
    private let directory: String

    init(_ options: Options, at directory: String) {
        self.options = options
        self.directory = directory
        plan = Plan(options)
    }

    func run(_ results: inout Results) async throws {
        guard options.engines.contains(.holdfastTyped) else { return }
        if plan.has(.observers) {
            for count in Self.observers {
                Console.message("Holdfast, typed: \(count) observers")
                let work = ObserverWork(
                    directory: directory,
                    records: min(options.records, Self.most),
                    seed: options.seed
                )
                results.add(try await work.run(observers: count), of: .holdfastTyped)
            }
        }
        if plan.has(.sync) {
            Console.message("Holdfast, typed: sync")
            results.add([try await sync()], of: .holdfastTyped)
        }
    }

    /// The first sync of a replica, from a server in this process that keeps its records in memory:
    /// what applying pages costs.
    private func sync() async throws -> Figure {
        let schema = Schema(version: 1) {
            Table(NoteRecord.self) { Index("updatedAt") }.synced()
        }
        let count = min(options.records, Self.most)
        let server = try await SyncServer(
            store: Store(storage: MemoryStorage(), schema: schema)
        )
        try await fill(server, count)
        let store = try await Store.open(at: "\(directory)/synced.holdfast", schema: schema)
        let engine = try SyncEngine(store: store, transport: LocalTransport(server: server))
        let start = ContinuousClock.now
        engine.start()
        _ = try await engine.sync()
        let time = ContinuousClock.now - start
        await engine.stop()
        guard try store.read({ try $0.count(NoteRecord.query) }) == count else {
            throw Failure("the sync did not bring all records")
        }
        try await store.close()
        return .rate("syncApply", "first sync, pages applied, records", count, in: time)
    }

    private func fill(_ server: SyncServer, _ count: Int) async throws {
        let source = NoteSource(seed: options.seed)
        for start in stride(from: 0, to: count, by: 1_000) {
            let notes = try (start..<min(start + 1_000, count)).map {
                try NoteRecord(source.note($0))
            }
            try await server.write { transaction in
                for note in notes {
                    try transaction.put(note.object, of: note.id, in: NoteRecord.table)
                }
            }
        }
    }
}
