import Holdfast
import HoldfastStorage
import Testing

@Suite struct RecordedMigrationTests {
    private let log = WriteLog(["notes", "pages"])

    private func schema(_ version: Int, _ table: TableName = "notes") -> Schema {
        var notes = Table(table)
        notes.recording = log
        return Schema(version: version) { notes }
    }

    private func filled() async throws -> MemoryStorage {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage, schema: schema(1))
        try await store.writeUnrecorded { try $0.put(["id": "a", "a": 1], in: "notes") }
        return storage
    }

    @Test func whatAMigrationChangesIsToldAsAnyEdit() async throws {
        let storage = try await filled()
        let newer = schema(2).migrate("rename", from: 1) { transaction in
            try transaction.renameField("a", to: "b", in: "notes")
        }
        _ = try await Store(storage: storage, schema: newer)
        #expect(log.last.map(\.after) == [["id": "a", "b": 1]])
    }

    @Test func whatChangesARepresentationAloneIsNotToldAndChangesWhatIsKeptBesides() async throws {
        let storage = try await filled()
        let newer = schema(2).migrate("rename", from: 1, representationOnly: true) { transaction in
            try transaction.renameField("a", to: "b", in: "notes")
        }
        let store = try await Store(storage: storage, schema: newer)
        #expect(try store.read { try $0.get("a", in: "notes") } == ["id": "a", "b": 1])
        #expect(log.calls.count == 1)
        #expect(log.last.map(\.after) == [["id": "kept", "b": 1]])
        try await store.write { try $0.put(["id": "c"], in: "notes") }
        #expect(log.last.map(\.id) == ["c"])
    }

    @Test func recordsOfATableThatMovesAreDeletedThereAndPutHere() async throws {
        let storage = try await filled()
        let newer = schema(2, "pages").migrate("move", from: 1) { transaction in
            try transaction.moveTable("notes", to: "pages")
        }
        _ = try await Store(storage: storage, schema: newer)
        #expect(log.last.map(\.table) == ["pages", "notes"])
        #expect(log.last.map(\.after) == [["id": "a", "a": 1], nil])
    }
}
