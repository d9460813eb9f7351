import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// Sync with a server in the same process: what the engines cost, without a network.
struct SyncBenchmark {
    private static let pushes = 10_000
    private static let table: TableName = "notes"

    let directory: String
    let records: Int

    private var schema: Schema {
        Schema(version: 1) { Table(Self.table) { Index("updatedAt") }.synced() }
    }

    /// The first pull of a replica.
    func pull() async throws -> [BenchFigure] {
        let server = try await SyncServer(store: Store(storage: MemoryStorage()))
        try await fill(server)
        let store = try await Store.open(at: "\(directory)/pulled", schema: schema)
        let client = try await SyncRun(store: store, server: server)
        let memory = residentMemory()
        let time = try await ContinuousClock().measure { try await client.run() }
        let growth = memory.flatMap { before in residentMemory().map { $0 - before } }
        let count = try store.read { try $0.count(Query(Self.table)) }
        guard count == records else { throw Failure("the pull brought \(count) records") }
        try await store.close()
        var figures = [BenchFigure.rate("syncPull", "initial pull, records", records, in: time)]
        if let growth {
            let share = Double(growth) / Double(records)
            let title = "memory a pulled record, beyond its value"
            figures.append(BenchFigure(key: "syncPullBytes", title: title, value: share, unit: "B"))
        }
        return figures
    }

    private func fill(_ server: SyncServer) async throws {
        var notes = SampleNotes(prefix: "n", seed: 1)
        for start in stride(from: 0, to: records, by: 1_000) {
            try Task.checkCancellation()
            let batch = (start..<min(start + 1_000, records)).map { _ in notes.next() }
            try await server.write { transaction in
                for note in batch {
                    guard let id = note["id"]?.stringValue else { continue }
                    try transaction.put(note, of: RecordID(id), in: Self.table)
                }
            }
        }
    }

    /// The push of what was written while offline.
    func push() async throws -> [BenchFigure] {
        let server = try await SyncServer(store: Store(storage: MemoryStorage()))
        let store = try await Store.open(at: "\(directory)/pushed", schema: schema)
        var notes = SampleNotes(prefix: "n", seed: 1)
        let batches = (0..<Self.pushes / 100).map { _ in (0..<100).map { _ in notes.next() } }
        let writing = try await ContinuousClock().measure {
            for batch in batches {
                try await store.write { transaction in
                    for note in batch { try transaction.put(note, in: Self.table) }
                }
            }
        }
        let client = try await SyncRun(store: store, server: server)
        let time = try await ContinuousClock().measure { try await client.run() }
        guard try store.read({ try $0.pendingCount() }) == 0 else {
            throw Failure("some changes were not sent")
        }
        try await store.close()
        return [
            .rate("syncQueue", "records queued, 100 a commit", Self.pushes, in: writing),
            .rate("syncPush", "push and confirmation, records", Self.pushes, in: time),
        ]
    }
}
