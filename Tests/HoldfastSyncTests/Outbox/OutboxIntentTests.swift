import Holdfast
import HoldfastSync
import Testing

@Suite struct OutboxIntentTests {
    @Test func anIncrementIsADeltaThatNoEditIsMergedAcross() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "a", "n": 1], "a")
        try await outbox.store.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 1])
            try transaction.increment("n", of: "a", in: "notes", by: 2)
            try transaction.patch("a", in: "notes", with: ["x": 2])
            try transaction.patch("a", in: "notes", with: ["y": 2])
        }
        #expect(
            try outbox.changes == [
                .patch(set: ["x": 1], unset: []), .delta(["n": 2]),
                .patch(set: ["x": 2, "y": 2], unset: []),
            ]
        )
        let stored = try outbox.store.read { try $0.get("a", in: "notes") }
        #expect(stored == ["id": "a", "n": 3, "x": 2, "y": 2])
    }

    @Test func aNumberIsAddedToWhatIsMissingAsToZeroAndInALocalTableToo() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { transaction in
            try transaction.put(["id": "a"], in: "local")
            try transaction.increment("n", of: "a", in: "local")
            try transaction.add(0.5, to: "n", of: "a", in: "local")
        }
        #expect(try outbox.store.read { try $0.get("a", in: "local") } == ["id": "a", "n": 1.5])
        #expect(try outbox.mutations.isEmpty)
    }

    @Test func nothingIsAddedToWhatIsNoNumberOrNotThere() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a", "n": "x"], in: "notes") }
        let error = await #expect(throws: SyncError.self) {
            try await outbox.store.write { try $0.increment("n", of: "a", in: "notes") }
        }
        #expect(error?.code == .notANumber)
        #expect(error?.field == "n")
        let missing = await #expect(throws: StoreError.self) {
            try await outbox.store.write { try $0.increment("n", of: "b", in: "notes") }
        }
        #expect(missing?.code == .noSuchRecord)
    }

    @Test func anActionIsQueuedWithTheGuessThatIsShown() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "a", "status": "new", "x": 1], "a", in: "orders")
        try await outbox.store.write { transaction in
            try transaction.perform("approve", of: "a", in: "orders", with: ["by": "me"]) {
                $0["status"] = "approved"
                $0.removeValue(named: "x")
            }
        }
        #expect(
            try outbox.changes == [
                .action(
                    name: "approve",
                    arguments: ["by": "me"],
                    guess: ["status": "approved"],
                    unset: ["x"]
                )
            ]
        )
        let stored = try outbox.store.read { try $0.get("a", in: "orders") }
        #expect(stored == ["id": "a", "status": "approved"])
    }

    @Test func anActionMayGuessNothingOrARecordThatIsNotThere() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { transaction in
            try transaction.perform("make", of: "a", in: "orders") { $0["n"] = 1 }
            try transaction.perform("touch", of: "b", in: "orders")
        }
        #expect(
            try outbox.changes == [
                .action(
                    name: "make",
                    arguments: [:],
                    guess: ["n": 1, "id": "a"],
                    unset: []
                ),
                .action(name: "touch", arguments: [:], guess: [:], unset: []),
            ]
        )
        #expect(try outbox.store.read { try $0.count(of: "orders") } == 1)
    }

    @Test func whatTheServerAloneWritesIsWrittenByActionsAlone() async throws {
        let outbox = try await Outbox()
        let error = await #expect(throws: SyncError.self) {
            try await outbox.store.write { try $0.put(["id": "a"], in: "orders") }
        }
        #expect(error?.code == .serverAuthoritative)
        let local = await #expect(throws: SyncError.self) {
            try await outbox.store.write { try $0.perform("x", of: "a", in: "local") }
        }
        #expect(local?.code == .notSynced)
    }
}
