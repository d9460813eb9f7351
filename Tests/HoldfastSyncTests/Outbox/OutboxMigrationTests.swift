import Holdfast
import HoldfastSync
import Testing

@Suite struct OutboxMigrationTests {
    /// A store whose notes wait in every way that there is.
    private func filled() async throws -> MemoryStorage {
        let storage = MemoryStorage()
        let outbox = try await Outbox(storage)
        for id in ["clean", "edited", "sent", "deleted"] as [RecordID] {
            try await outbox.receive(["id": .string(id.text), "old": 1, "x": 1, "n": 1], id)
        }
        try await outbox.store.write { transaction in
            try transaction.patch("sent", in: "notes", with: ["old": 2])
            try transaction.put(["id": "new", "old": 2, "x": 1], in: "notes")
            try transaction.delete("deleted", in: "notes")
        }
        try await outbox.freeze("sent")
        try await outbox.store.write { transaction in
            try transaction.patch("sent", in: "notes", with: ["old": 3])
            try transaction.patch("edited", in: "notes", with: ["old": 2, "x": 2])
            try transaction.increment("n", of: "edited", in: "notes", by: 2)
            try transaction.perform("touch", of: "edited", in: "notes") { $0["old"] = 9 }
        }
        return storage
    }

    private func migrated(_ storage: MemoryStorage) async throws -> Outbox {
        let schema = try Schema(version: 4, tables: Outbox.schema.tables)
            .migrate("rename", from: 3, representationOnly: true) { transaction in
                try transaction.renameField("old", to: "new", in: "notes")
            }
        return try await Outbox(storage, schema: schema)
    }

    @Test func aChangeOfRepresentationIsMadeInBasesAndMutationsToo() async throws {
        let outbox = try await migrated(filled())
        let changes = try outbox.mutations.reduce(into: [RecordID: [Mutation.Change]]()) {
            $0[$1.record.id, default: []].append($1.change)
        }
        #expect(changes["new"] == [.put(["id": "new", "new": 2, "x": 1])])
        #expect(changes["deleted"] == [.delete])
        #expect(
            changes["sent"] == [
                .patch(set: ["new": 2], unset: []), .patch(set: ["new": 3], unset: []),
            ]
        )
        #expect(
            changes["edited"] == [
                .patch(set: ["new": 2, "x": 2], unset: []), .delta(["n": 2]),
                .action(name: "touch", arguments: [:], guess: ["new": 9], unset: []),
            ]
        )
        #expect(try outbox.state("edited")?.base == ["id": "edited", "new": 1, "x": 1, "n": 1])
        #expect(try outbox.state("clean")?.isClean == true)
    }

    @Test func whatWasSentKeepsItsBytesAndEveryChangeIsInTheNewForm() async throws {
        let outbox = try await migrated(filled())
        for mutation in try outbox.mutations {
            #expect(mutation.schema == 4)
            if case .sent(_, _, let text) = mutation.state { #expect(text == [0x7B, 0x7D]) }
        }
    }

    @Test func theRecordsAreStillTheirBasesWithTheMutations() async throws {
        let outbox = try await migrated(filled())
        for id in ["edited", "sent", "deleted", "new"] as [RecordID] {
            let state = try #require(try outbox.state(id))
            let mutations = try outbox.store.read { try $0.mutations(of: state) }
            let stored = try outbox.store.read { try $0.get(id, in: "notes") }
            #expect(stored == mutations.applied(to: state.isDeleted ? nil : state.base))
        }
    }
}
