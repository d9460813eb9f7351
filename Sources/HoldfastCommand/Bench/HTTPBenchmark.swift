import Holdfast
import HoldfastNetwork
import HoldfastStorage
import HoldfastSync

/// Sync with a server in another process, over HTTP on this machine.
final class HTTPBenchmark {
    private static let connections = 64
    private static let feeds = 1_000
    private static let table: TableName = "notes"

    private let directory: String
    private let records: Int
    private let server: ServerProcess

    init(directory: String, records: Int) throws {
        self.directory = directory
        self.records = min(records, 100_000)
        server = try ServerProcess(store: "\(directory)/served")
    }

    deinit { try? server.kill() }

    func run() async throws -> [BenchFigure] {
        let hello = try await transport().hello(SyncCredentials())
        try await fill(hello.dataset)
        return try await [push(hello.dataset), pages(), pull()] + feeds()
    }

    private func transport() throws -> SocketTransport {
        SocketTransport(try ServerURL("http://127.0.0.1:\(server.port)"), now: { 0 })
    }

    private static func request(
        _ notes: [JSONObject],
        client: String,
        from sequence: Int,
        _ dataset: DatasetID
    ) throws -> PushRequest {
        let operations = try notes.enumerated().map { place, note in
            let operation = PushOperation(
                key: MutationKey("\(client)-\(sequence + place)"),
                sequence: Int64(sequence + place),
                record: RecordReference(table, try RecordID(note["id"]?.stringValue ?? "")),
                kind: .put,
                fields: note
            )
            return PushRequest.Operation(text: try operation.text())
        }
        return PushRequest(
            client: ClientID(client),
            dataset: dataset,
            acknowledgedThrough: Int64(sequence - 1),
            operations: operations
        )
    }

    private func fill(_ dataset: DatasetID) async throws {
        let transport = try transport()
        var notes = SampleNotes(prefix: "n", seed: 1)
        for start in stride(from: 0, to: records, by: 500) {
            let batch = (start..<min(start + 500, records)).map { _ in notes.next() }
            let request = try Self.request(batch, client: "filler", from: start + 1, dataset)
            _ = try await transport.push(request, SyncCredentials())
        }
    }

    /// One record a request, durable before it is answered, from many connections at once.
    private func push(_ dataset: DatasetID) async throws -> BenchFigure {
        let each = max(1, min(20_000, records) / Self.connections)
        var requests: [[PushRequest]] = []
        for connection in 0..<Self.connections {
            var notes = SampleNotes(prefix: "p\(connection)-", seed: UInt64(connection))
            requests.append(
                try (1...each).map {
                    try Self.request([notes.next()], client: "c\(connection)", from: $0, dataset)
                }
            )
        }
        let transports = try requests.map { (try transport(), $0) }
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (transport, requests) in transports {
                    group.addTask {
                        for request in requests {
                            _ = try await transport.push(request, SyncCredentials())
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let title = "pushes of one record, \(Self.connections) connections"
        return .rate("httpPush", title, each * Self.connections, in: time)
    }

    /// Everything from the beginning, in pages of 500.
    private func pages() async throws -> BenchFigure {
        let transport = try transport()
        var count = 0
        let time = try await ContinuousClock().measure {
            var request = ChangesRequest(
                client: ClientID("reader"),
                scope: ScopeName("all"),
                limit: 500
            )
            while true {
                let page = try await transport.changes(request, SyncCredentials())
                count += page.changes.count
                request.cursor = page.cursor
                if !page.hasMore { break }
            }
        }
        return .rate("httpChanges", "changes read, pages of 500, records", count, in: time)
    }

    /// The first sync of a replica, on a disk of its own.
    private func pull() async throws -> BenchFigure {
        let schema = Schema(version: 1) { Table(Self.table).synced() }
        let store = try await Store.open(at: "\(directory)/replica", schema: schema)
        let engine = try SyncEngine(store: store, transport: try transport())
        let time = try await ContinuousClock().measure {
            engine.start()
            try await engine.waitForSync()
        }
        await engine.stop()
        let count = try store.read { try $0.count(of: Self.table) }
        try await store.close()
        return .rate("httpPull", "first sync between two processes, records", count, in: time)
    }

    /// The memory of the server for each line that waits for hints.
    private func feeds() async throws -> [BenchFigure] {
        raiseDescriptorLimit()
        guard let before = server.memory else { return [] }
        let exchange = SocketExchange(host: "127.0.0.1", port: server.port)
        var lines: [AsyncStream<[UInt8]>] = []
        for _ in 0..<Self.feeds {
            let head = HTTPRequestHead(method: "GET", target: "/sync/feed")
            let (_, body) = try await exchange.stream(
                HTTPRequest(head),
                opening: HTTPRequest(head),
                silence: .seconds(60)
            )
            lines.append(body)
        }
        let growth = (server.memory ?? before) - before
        let share = Double(growth) / Double(lines.count)
        return [
            BenchFigure(
                key: "httpFeedBytes",
                title: "server's memory for an idle feed",
                value: share,
                unit: "B"
            ),
            BenchFigure(
                key: "httpServerBytes",
                title: "server's memory with 1,000 feeds",
                value: Double(before + growth) / 1_048_576,
                unit: "MiB"
            ),
        ]
    }
}
