import Holdfast
import HoldfastStorage
import HoldfastSync

/// The story of `hold demo --process`: two stores on the disk, and `hold serve` as a process of its
/// own, which is killed.
struct ProcessDemo {
    private static let bread: RecordID = "bread"

    private let console: Console
    private let directory: TemporaryDirectory
    private var server: ServerProcess
    private var outcome = DemoOutcome()

    /// Tells it, and leaves no file and no process.
    static func run(_ console: Console) async throws -> DemoOutcome {
        let directory = try TemporaryDirectory(prefix: "hold-demo")
        defer { directory.remove() }
        var demo = try Self(console, directory)
        // Killing one that has ended does nothing.
        defer { try? demo.server.kill() }
        return try await demo.tell()
    }

    private init(_ console: Console, _ directory: TemporaryDirectory) throws {
        self.console = console
        self.directory = directory
        server = try ServerProcess(store: "\(directory.path)/server")
    }

    private var url: String { "http://127.0.0.1:\(server.port)" }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    private mutating func tell() async throws -> DemoOutcome {
        try console.say("Two stores, and their server: process \(server.child.number).\n")
        try await begin()
        try await crash()
        try await meet()
        try await finish()
        return outcome
    }

    private func begin() async throws {
        try await edit(
            "phone",
            ["id": .string(Self.bread.text), "title": "Bread", "flour": "500 g", "baked": 0]
        )
        try await sync("phone")
        try await sync("laptop")
        try console.step("phone", "writes a recipe, the server takes it, and the laptop has it")
        try await edit("phone", ["title": "Rye bread", "flour": "400 g rye", "baked": 1])
        try await edit("laptop", ["title": "Grandmother's bread", "oven": "250 °C"])
        try console.step("both", "edit it apart; each changes the title")
    }

    /// The server takes the phone's change, and is killed before the phone hears of that.
    private mutating func crash() async throws {
        let child = server.child
        let kill: @Sendable () -> Void = { child.kill() }
        let waiting = try await withEngine("phone", loss: kill) { engine, transport in
            engine.start()
            for await _ in transport.untilLost {}
            await engine.stop()
            return engine.status
        }
        try server.kill()
        try Task.checkCancellation()
        outcome.crashes += 1
        outcome.lost = waiting.pending == 0 ? 1 : 0
        try console.step("server", "takes the phone's change, and is killed with -9")
        try console.step("phone", "has no answer: \(waiting)")
        server = try ServerProcess(store: path("server"), port: server.port)
        try console.step("server", "starts again on its store: process \(server.child.number)")
        let known = try await sync("phone")
        outcome.replayed = known
        let text = known > 0 ? "the server knew the change already" : "the server did not know it"
        try console.step("phone", "asks again: \(text)")
    }

    private mutating func meet() async throws {
        try await sync("laptop")
        try await sync("phone")
        try await StoreSession.run(at: path("phone"), .read) { store in
            outcome.ledgerEntries = try store.read { try $0.count(of: LedgerEntry.table) }
        }
        try console.step("merge", "field by field: \(text(of: try await record("phone")))")
    }

    private mutating func finish() async throws {
        try server.stop()
        let records = [
            try await record("phone"), try await record("laptop"), try await record("server"),
        ]
        outcome.isEqual = records[0] != nil && Set(records).count == 1
        outcome.bakings = records[2]?["baked"].flatMap(\.integerValue) ?? 0
        let good = "\nBoth stores equal the server's, and nothing was lost."
        let bad = "\nThe stores are not as they should be."
        try console.say(
            outcome.isGood ? console.paint(good, .good) : console.paint(bad, .bad)
        )
    }

    // MARK: Stores

    private func text(of record: JSONObject?) -> String {
        record.map { "\(JSONValue.object($0))" } ?? "nothing"
    }

    private func record(_ name: String) async throws -> JSONObject? {
        try await StoreSession.run(at: path(name), .read) { store in
            try store.read { try $0.get(Self.bread, in: Demo.table) }
        }
    }

    /// Changes fields of the recipe, or makes it.
    private func edit(_ name: String, _ fields: JSONObject) async throws {
        try await StoreSession.run(at: path(name), .create, writesRecords: true) { store in
            try await store.write { transaction in
                var recipe = try transaction.get(Self.bread, in: Demo.table) ?? JSONObject()
                for (field, value) in fields { recipe[field] = value }
                try transaction.put(recipe, in: Demo.table)
            }
        }
    }

    /// Syncs a store once.
    ///
    /// - Returns: How many of its changes the server knew already.
    @discardableResult
    private func sync(_ name: String) async throws -> Int {
        try await withEngine(name, loss: nil) { engine, transport in
            engine.start()
            do {
                try await engine.waitForSync()
            } catch {
                await engine.stop()
                throw error
            }
            await engine.stop()
            return transport.known
        }
    }

    private func withEngine<Result>(
        _ name: String,
        loss: (@Sendable () -> Void)?,
        _ body: (SyncEngine, AnswerLosingTransport) async throws -> Result
    ) async throws -> Result {
        try await StoreSession.run(at: path(name), .create) { store in
            try await LinkedStore.link(store, to: url)
            let base = try LinkedStore.transport(url)
            let transport = AnswerLosingTransport(base, loss: loss)
            return try await body(try SyncEngine(store: store, transport: transport), transport)
        }
    }
}
