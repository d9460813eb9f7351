import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct DecisionTests {
    /// A record whose text was changed here and on the server.
    private func conflict(_ world: EngineWorld) async throws -> SyncEngine {
        let engine = try await world.started()
        try await engine.put(["id": "a", "text": "old"])
        try await engine.waitForSync()
        try await world.server.write { transaction in
            _ = try transaction.put(["text": "theirs"], of: "a", in: "notes")
        }
        try await engine.put(["id": "a", "text": "mine"])
        try await engine.sync()
        return engine
    }

    @Test(arguments: [ConflictChoice.local, .remote])
    func aConflictWaitsUntilSomebodyDecides(choice: ConflictChoice) async throws {
        let world = try await EngineWorld()
        let engine = try await conflict(world)
        let record = RecordReference("notes", "a")
        let conflict = try #require(try engine.conflicts().first)
        #expect(conflict.record == record && conflict.fields == ["text"])
        #expect(conflict.base?["text"] == "old")
        #expect(conflict.local?["text"] == "mine")
        #expect(conflict.remote?["text"] == "theirs")
        #expect(try engine.status(of: record) == .conflict(fields: ["text"]))
        #expect(try engine.plan().map(\.kind) == [.waitForDecision(fields: ["text"])])
        let error = await #expect(throws: SyncError.self) { try await engine.waitForSync() }
        #expect(error?.code == .needsAttention)
        try await engine.resolve(record, choosing: choice)
        try await engine.waitForSync()
        let text: JSONValue = choice == .local ? "mine" : "theirs"
        #expect(try world.onServer("a")?["text"] == text)
        #expect(try engine.get("a")?["text"] == text)
        await engine.stop()
    }

    @Test func whatWasDiscardedIsInTheLedgerAndCanBeBroughtBack() async throws {
        let world = try await EngineWorld()
        let engine = try await conflict(world)
        try await engine.resolve(RecordReference("notes", "a"), choosing: .remote)
        try await engine.waitForSync()
        try await engine.sync()
        let entry = try #require(try engine.ledger().first)
        #expect(entry.record == RecordReference("notes", "a"))
        #expect(entry.discarded == "mine" && entry.kept == "theirs")
        try await engine.undo(entry.id)
        try await engine.waitForSync()
        #expect(try world.onServer("a")?["text"] == "mine")
        let error = await #expect(throws: SyncError.self) { try await engine.undo(entry.id) }
        #expect(error?.code == .stale)
        await engine.stop()
    }

    @Test func aRefusedChangeIsTriedAgainOrGivenUpWithWhatDependsOnIt() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await engine.store.write { transaction in
            try transaction.put(["id": "f", "bad": 1], in: "folders")
            try transaction.put(["id": "a", "folder": "f"], in: "notes")
        }
        try await engine.sync()
        var refused = try #require(try engine.attention().first)
        try await engine.retry(refused.id)
        try await engine.sync()
        refused = try #require(try engine.attention().first)
        #expect(try world.pushed.flatMap(\.self).filter { $0 == "f" }.count == 2)
        let gone = try await engine.changesDiscarded(with: refused.id)
        #expect(gone.map(\.record.id) == ["f", "a"])
        #expect(try await engine.discard(refused.id) == gone)
        try await engine.waitForSync()
        #expect(try engine.get("a") == nil)
        #expect(try engine.get("f", in: "folders") == nil)
        await engine.stop()
    }

    @Test func removalsOfManyRecordsWaitUntilSomebodyConfirmsThem() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started()
        try await world.server.write { transaction in
            for number in 0..<100 as Range<Int64> {
                _ = try transaction.put([:], of: RecordID(number), in: "notes")
            }
        }
        try await engine.sync()
        try await world.server.write { transaction in
            for number in 0..<90 as Range<Int64> {
                _ = try transaction.delete(RecordID(number), in: "notes")
            }
        }
        try await engine.sync()
        guard case .massDelete(let removals)? = engine.status.pause else {
            Issue.record("nobody was asked")
            return
        }
        #expect(try engine.store.read { try $0.count(of: "notes") } == 100)
        try await engine.accept(removals)
        try await engine.waitForSync()
        #expect(try engine.store.read { try $0.count(of: "notes") } == 10)
        await engine.stop()
    }

    @Test func aRecordsHistoryIsReadFromTheJournal() async throws {
        let world = try await EngineWorld()
        let engine = try await world.engine()
        for number in 1...3 as ClosedRange<Int64> {
            try await engine.put(["id": "a", "n": .integer(number)])
            try await engine.put(["id": "b", "n": .integer(number)])
        }
        let history = try engine.explain(RecordReference("notes", "a"))
        #expect(history.events.map { $0.record?["n"] } == [1, 2, 3])
        #expect(history.baseVersion == nil)
        #expect(history.waiting.count == 1)
    }
}
