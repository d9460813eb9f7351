import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct AccountTests {
    /// S21
    @Test func signingOutKeepsWhatWasNotSentAndSendsItAfterSigningInAgain() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started(account: "A")
        try await engine.sync()
        world.server.fail(with: .unreachable, times: nil)
        try await engine.put(["id": "a"])
        #expect(try await engine.signOut() == 1)
        world.server.removeFaults()
        engine.start()
        let status = try await engine.sync()
        #expect(status.pause == .signedOut && status.pending == 1)
        #expect(try world.onServer("a") == nil)
        await engine.stop()
        try await engine.signIn()
        engine.start()
        try await engine.waitForSync()
        #expect(try world.onServer("a") != nil)
        await engine.stop()
    }

    /// S21
    @Test func aStoreIsSyncedForItsOwnAccountAlone() async throws {
        let world = try await EngineWorld()
        let first = try await world.started(account: "A")
        try await first.put(["id": "a"])
        try await first.waitForSync()
        try await first.signOut()
        let requests = world.server.exchanges.count
        let second = try await world.engine(on: first.store, account: "B")
        second.start()
        let error = await #expect(throws: SyncError.self) { try await second.sync() }
        #expect(error?.code == .otherAccount)
        await #expect(throws: SyncError.self) { try await second.signIn() }
        #expect(world.server.exchanges.count == requests)
        await second.stop()
    }

    /// S21
    @Test func whatWasMadeBeforeSigningInIsAdopted() async throws {
        let world = try await EngineWorld()
        let anonymous = try await world.store()
        try await anonymous.write { transaction in
            try transaction.put(["id": "f"], in: "folders")
            for number in 0..<1_200 as Range<Int64> {
                try transaction.put(["id": .integer(number), "folder": "f"], in: "notes")
            }
            try transaction.put(["id": "x"], in: "local")
        }
        let engine = try await world.started(account: "A")
        try await engine.put(["id": "7", "mine": true])
        #expect(try await engine.store.adopt(recordsOf: anonymous) == 1_200)
        #expect(try engine.get("7") == ["id": "7", "mine": true])
        try await engine.waitForSync()
        #expect(try world.server.store.read { try $0.count(of: "notes") } == 1_200)
        #expect(try world.onServer("f", in: "folders") != nil)
        #expect(try engine.get("x", in: "local") == nil)
        await engine.stop()
    }

    @Test func anAdoptionThatIsDoneAgainBringsNothingBack() async throws {
        let world = try await EngineWorld()
        let (anonymous, store) = (try await world.store(), try await world.store())
        try await anonymous.write { try $0.put(["id": "a"], in: "notes") }
        try await store.adopt(recordsOf: anonymous)
        try await store.write { try $0.delete("a", in: "notes") }
        #expect(try await store.adopt(recordsOf: anonymous) == 0)
        #expect(try store.read { try $0.count(of: "notes") } == 0)
        try await anonymous.write { try $0.put(["id": "b"], in: "notes") }
        try await store.adopt(recordsOf: anonymous)
        #expect(try store.read { try $0.contains("b", in: "notes") })
    }

    @Test func anAdoptionGoesOnWhereItWasInterrupted() async throws {
        let world = try await EngineWorld()
        let (anonymous, store) = (try await world.store(), try await world.store())
        try await anonymous.write { transaction in
            for number in 0..<1_700 as Range<Int64> {
                try transaction.put(["id": .integer(number)], in: "notes")
            }
        }
        let task = Task { try await store.adopt(recordsOf: anonymous) }
        for try await rows in store.values(Query("notes")) where rows.count >= 500 { break }
        task.cancel()
        _ = try? await task.value
        try await store.write { transaction in
            try transaction.delete("0", in: "notes")
            try transaction.patch("1", in: "notes", with: ["mine": true])
        }
        try await store.adopt(recordsOf: anonymous)
        try store.read { transaction in
            let count = try transaction.count(of: "notes")
            #expect(count == 1_699)
            #expect(try transaction.get("1", in: "notes")?["mine"] == true)
            #expect(try !transaction.contains("0", in: "notes"))
        }
    }

    @Test func aWipeRemovesWhatIsSyncedAndNothingElseAndTellsNoServer() async throws {
        let world = try await EngineWorld()
        let engine = try await world.started(account: "A")
        try await world.server.write { _ = try $0.put([:], of: "u", in: "unknown") }
        try await engine.put(["id": "a"])
        try await engine.waitForSync()
        world.server.fail(with: .unreachable, times: nil)
        try await engine.put(["id": "b"])
        try await engine.put(["id": "l"], in: "local")
        try await engine.wipe()
        world.server.removeFaults()
        try engine.store.read { transaction in
            let count = try transaction.count(of: "notes")
            #expect(count == 0)
            #expect(try transaction.count(of: "unknown") == 0)
            #expect(try transaction.count(of: "local") == 1)
            #expect(try transaction.countSystem(in: SystemSpace.sync.keys) == 0)
        }
        #expect(try world.onServer("a") != nil)
        engine.start()
        try await engine.waitForSync()
        #expect(try engine.get("a") != nil)
        #expect(try engine.get("b") == nil)
        await engine.stop()
    }
}
