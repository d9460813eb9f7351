import Holdfast
import HoldfastSync
import Testing

@Suite struct OutboxRecorderTests {
    @Test func aWriteAndItsMutationAreOneCommit() async throws {
        let outbox = try await Outbox()
        let before = try outbox.store.sequenceNumber
        try await outbox.store.write { try $0.put(["id": "a", "title": "x"], in: "notes") }
        #expect(try outbox.store.sequenceNumber.rawValue == before.rawValue + 1)
        let mutation = try #require(try outbox.mutations.first)
        #expect(mutation.change == .put(["id": "a", "title": "x"]))
        #expect(mutation.record == RecordReference("notes", "a"))
        #expect(mutation.schema == 3)
        #expect(mutation.created == 1_000)
        #expect(mutation.state == .queued)
        #expect(mutation.group == nil)
        let state = try #require(try outbox.state("a"))
        #expect(state.mutations == [mutation.position])
        #expect(state.isDeleted && state.base == nil)
    }

    @Test func aFailedTransactionQueuesNothing() async throws {
        let outbox = try await Outbox()
        await #expect(throws: StoreError.self) {
            try await outbox.store.write { transaction in
                try transaction.put(["id": "a", "folder": "none"], in: "notes")
            }
        }
        #expect(try outbox.mutations.isEmpty)
        #expect(try outbox.state("a") == nil)
    }

    @Test func localTablesAndWritesFromAServerQueueNothing() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a"], in: "local") }
        try await outbox.receive(["id": "b"], "b")
        #expect(try outbox.mutations.isEmpty)
    }

    @Test func anEditOfACleanRecordKeepsItsBaseAndQueuesThePatch() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "a", "x": 1, "y": 1, "votes": 1], "a")
        try await outbox.store.write { transaction in
            try transaction.put(["id": "a", "x": 2, "votes": 4], in: "notes")
        }
        #expect(
            try outbox.changes == [.patch(set: ["x": 2], unset: ["y"]), .delta(["votes": 3])]
        )
        let state = try #require(try outbox.state("a"))
        #expect(state.base == ["id": "a", "x": 1, "y": 1, "votes": 1])
        #expect(state.version == RecordVersion(1))
        let mutations = try outbox.mutations
        #expect(
            try outbox.store.read { try $0.get("a", in: "notes") }
                == mutations.applied(to: state.base)
        )
    }

    @Test func unsentMutationsOfARecordCoalesce() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a", "x": 1], in: "notes") }
        try await outbox.store.write { try $0.patch("a", in: "notes", with: ["x": 2]) }
        #expect(try outbox.changes == [.put(["id": "a", "x": 2])])
        try await outbox.receive(["id": "b", "x": 1], "b")
        try await outbox.store.write { try $0.patch("b", in: "notes", with: ["x": 2]) }
        try await outbox.store.write { try $0.patch("b", in: "notes", with: ["y": 2]) }
        #expect(try outbox.changes.last == .patch(set: ["x": 2, "y": 2], unset: []))
        try await outbox.store.write { try $0.delete("b", in: "notes") }
        #expect(try outbox.changes.last == .delete)
        #expect(try outbox.mutations.count == 2)
    }

    /// S19
    @Test func aRecordThatWasMadeAndDeletedBeforeTheFirstSyncLeavesNothing() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a"], in: "notes") }
        try await outbox.store.write { try $0.delete("a", in: "notes") }
        #expect(try outbox.mutations.isEmpty)
        #expect(try outbox.state("a") == nil)
        try await outbox.store.write { transaction in
            try transaction.put(["id": "b"], in: "notes")
            try transaction.delete("b", in: "notes")
        }
        #expect(try outbox.mutations.isEmpty)
    }

    /// S9
    @Test func aRecordThatWasDeletedAndPutAgainIsAPutOnTheVersionThatWasDeleted() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "a", "x": 1], "a", version: 5)
        try await outbox.store.write { try $0.delete("a", in: "notes") }
        try await outbox.store.write { try $0.put(["id": "a", "x": 2], in: "notes") }
        #expect(try outbox.changes == [.put(["id": "a", "x": 2])])
        #expect(try outbox.state("a")?.version == RecordVersion(5))
        try await outbox.store.write { try $0.delete("a", in: "notes") }
        #expect(try outbox.changes == [.delete])
    }

    /// S27
    @Test func anEditOfWhatWasSentIsAMutationOfItsOwn() async throws {
        let outbox = try await Outbox()
        try await outbox.store.write { try $0.put(["id": "a", "x": 1], in: "notes") }
        try await outbox.freeze("a")
        try await outbox.store.write { try $0.patch("a", in: "notes", with: ["x": 2]) }
        let mutations = try outbox.mutations
        #expect(
            mutations.map(\.change) == [
                .put(["id": "a", "x": 1]), .patch(set: ["x": 2], unset: []),
            ]
        )
        #expect(mutations.map(\.isSent) == [true, false])
        #expect(Set(mutations.map(\.key)).count == 2)
        // An edit that leads back to the base is one too: another value is in flight.
        try await outbox.store.write { try $0.patch("a", in: "notes", with: ["x": 1]) }
        #expect(try outbox.changes.last == .patch(set: ["x": 1], unset: []))
    }

    @Test func whatADeletionTakesAlongIsQueuedBehindIt() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "f"], "f", in: "folders")
        try await outbox.receive(["id": "a", "folder": "f"], "a")
        try await outbox.store.write { try $0.delete("f", in: "folders") }
        #expect(try outbox.mutations.map(\.record.table) == ["folders", "notes"])
        #expect(try outbox.changes == [.delete, .delete])
    }

    @Test func aRecordThatWasHereBeforeItsTableWasSyncedIsNewToTheServer() async throws {
        let outbox = try await Outbox()
        try await outbox.store.writeUnrecorded { transaction in
            try transaction.put(["id": "a", "x": 1], in: "notes")
            try transaction.put(["id": "b", "votes": 1], in: "notes")
            try transaction.put(["id": "c"], in: "notes")
        }
        try await outbox.store.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 2])
            try transaction.increment("votes", of: "b", in: "notes")
            try transaction.delete("c", in: "notes")
        }
        #expect(
            try outbox.changes == [
                .put(["id": "a", "x": 2]), .put(["id": "b", "votes": 1]), .delta(["votes": 1]),
            ]
        )
    }

    @Test func immutableRecordsArePutAndDeletedAndNeverChanged() async throws {
        let outbox = try await Outbox()
        try await outbox.receive(["id": "a", "x": 1], "a", in: "messages")
        try await outbox.store.write { try $0.put(["id": "b", "x": 1], in: "messages") }
        for id in ["a", "b"] as [RecordID] where id == "a" {
            let error = await #expect(throws: SyncError.self) {
                try await outbox.store.write { try $0.patch(id, in: "messages", with: ["x": 2]) }
            }
            #expect(error?.code == .immutable)
            #expect(error?.id == id)
        }
        #expect(try outbox.store.read { try $0.get("a", in: "messages") } == ["id": "a", "x": 1])
        try await outbox.store.write { try $0.delete("a", in: "messages") }
        #expect(try outbox.changes == [.put(["id": "b", "x": 1]), .delete])
    }
}
