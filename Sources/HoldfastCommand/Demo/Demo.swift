import Holdfast
import HoldfastStorage
import HoldfastSync
import HoldfastTesting

/// The story of `hold demo`, each step of which says what happens.
struct Demo {
    static let table: TableName = "recipes"
    private static let bread: RecordID = "bread"

    private let console: Console
    private let server: FakeServer
    private let phone: DemoReplica
    private let laptop: DemoReplica
    private var outcome = DemoOutcome()

    init(_ console: Console) async throws {
        self.console = console
        server = try await FakeServer(schema: DemoReplica.schema)
        phone = try await DemoReplica("phone", server)
        laptop = try await DemoReplica("laptop", server)
    }

    /// Tells it.
    mutating func run() async throws -> DemoOutcome {
        try console.say("Two replicas and their server, in this process.\n")
        try await begin()
        try await editOffline()
        try await crash()
        try await meet()
        try await finish()
        return outcome
    }

    private mutating func begin() async throws {
        try await phone.edit { transaction in
            try transaction.put(
                [
                    "id": .string(Self.bread.text), "title": "Bread", "flour": "500 g",
                    "oven": "220 °C", "baked": 0,
                ],
                in: Self.table
            )
        }
        try await phone.sync()
        try await laptop.sync()
        try console.step("phone", "writes a recipe: \(phone.text(of: Self.bread))")
        try console.step("server", "takes it, and the laptop has it: \(laptop.status)")
    }

    private mutating func editOffline() async throws {
        try console.step("network", "is gone")
        try await phone.change(Self.bread) { recipe in
            recipe["title"] = "Rye bread"
            recipe["flour"] = "400 g rye"
            recipe["baked"] = 1
        }
        try console.step("phone", "edits title and flour, and counts a baking: \(phone.status)")
        try await laptop.change(Self.bread) { recipe in
            recipe["title"] = "Grandmother's bread"
            recipe["oven"] = "250 °C"
        }
        try console.step("laptop", "edits title and oven: \(laptop.status)")
    }

    /// The phone's changes reach the server, and its power is lost before it hears of that.
    private mutating func crash() async throws {
        try console.step("network", "is back for the phone")
        server.fail(with: .heldAnswer, of: [.push])
        phone.begin()
        await server.waitUntilHeld()
        try await phone.losePower {
            server.release()
        }
        outcome.crashes += 1
        try console.step("phone", "has sent a change, and loses its power before the answer comes")
        let waiting = try phone.pendingCount
        outcome.lost = waiting == 0 ? 1 : 0
        try console.step("phone", "starts again: \(phone.status), and none is lost")
        try await phone.sync()
        try learn()
        try console.step("phone", phone.status)
    }

    /// The phone learns what became of its change: by sending it again, or from what it receives,
    /// whichever comes first.
    private mutating func learn() throws {
        let answers = server.exchanges.compactMap { try? $0.result?.get() }
        outcome.replayed = answers.reduce(0) { $0 + Self.replayed($1) }
        outcome.recognized = answers.reduce(0) { $0 + Self.recognized($1) }
        try console.step(
            "server",
            outcome.replayed > 0
                ? "gets the same change again, knows it, and does nothing twice"
                : "tells the phone that it has that change already"
        )
    }

    private static func replayed(_ answer: SyncAnswer) -> Int {
        guard case .push(let response) = answer else { return 0 }
        return response.results.count { $0.status == .replayed }
    }

    private static func recognized(_ answer: SyncAnswer) -> Int {
        guard case .changes(let page) = answer else { return 0 }
        return page.changes.reduce(0) { $0 + $1.mine.count }
    }

    private mutating func meet() async throws {
        try console.step("network", "is back for the laptop")
        try await laptop.sync()
        try await phone.sync()
        try console.step("merge", "field by field: \(laptop.text(of: Self.bread))")
        for entry in try phone.ledger() {
            outcome.ledgerEntries += 1
            try console.step(
                "ledger",
                "on the phone: its \(entry.field ?? "record") \(Self.text(entry.discarded)) was"
                    + " replaced by \(Self.text(entry.kept)) (\(entry.rule)), and can be had back"
            )
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text)?: "'\(text)'"
        case let value?: "\(value)"
        case nil: "nothing"
        }
    }

    private mutating func finish() async throws {
        try console.step("phone", phone.status)
        try console.step("laptop", laptop.status)
        let records = try [phone.store, laptop.store, server.store].map { store in
            try store.read { try $0.get(Self.bread, in: Self.table) }
        }
        outcome.isEqual = records[0] != nil && Set(records).count == 1
        outcome.bakings = records[2]?["baked"].flatMap(\.integerValue) ?? 0
        await phone.end()
        await laptop.end()
        let good = "\nBoth replicas equal the server; nothing was lost, and nothing done twice."
        let bad = "\nThe replicas are not as they should be."
        try console.say(outcome.isGood ? console.paint(good, .good) : console.paint(bad, .bad))
    }
}
