import Holdfast
import HoldfastStorage
import Testing

@Suite struct RecordingTests {
    private let log = WriteLog(["folders", "notes"])

    private func schema(_ version: Int = 1) -> Schema {
        var folders = Table("folders")
        folders.recording = log
        return Schema(version: version) {
            folders
            Table("notes") {
                Index("slug", unique: true)
                Reference("folder", to: "folders", onDelete: .cascade)
                Reference("author", to: "people", onDelete: .nullify)
            }
            Table("people")
        }
    }

    private func store() async throws -> Store {
        try await Store(storage: MemoryStorage(), schema: schema())
    }

    private func line(
        _ table: TableName,
        _ id: RecordID,
        _ before: JSONObject?,
        _ after: JSONObject?,
        _ intent: String? = nil
    ) -> WriteLog.Line {
        WriteLog.Line(table: table, id: id, before: before, after: after, intent: intent)
    }

    @Test func whatARecordBecomesInTheEndIsToldInTheOrderOfFirstTouch() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "b", "n": 1], in: "notes")
            try transaction.put(["id": "a", "n": 1], in: "notes")
            try transaction.put(["id": "p"], in: "people")
            try transaction.patch("b", in: "notes", with: ["n": 2])
        }
        #expect(
            log.last == [
                line("notes", "b", nil, ["id": "b", "n": 2]),
                line("notes", "a", nil, ["id": "a", "n": 1]),
            ]
        )
        try await store.write { transaction in
            try transaction.patch("b", in: "notes", with: ["n": 3])
            try transaction.delete("a", in: "notes")
        }
        #expect(
            log.last == [
                line("notes", "b", ["id": "b", "n": 2], ["id": "b", "n": 3]),
                line("notes", "a", ["id": "a", "n": 1], nil),
            ]
        )
    }

    @Test func whatEndsAsItBeganIsNotTold() async throws {
        let store = try await store()
        try await store.write { try $0.put(["id": "a", "n": 1], in: "notes") }
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 2], in: "notes")
            try transaction.put(["id": "a", "n": 1], in: "notes")
            try transaction.put(["id": "b"], in: "notes")
            try transaction.delete("b", in: "notes")
            try transaction.delete("c", in: "notes")
        }
        #expect(log.calls.count == 1)
    }

    @Test func aSavepointThatWasUndoneLeavesNoTrace() async throws {
        struct Stop: Error {}
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "notes")
            try? transaction.attempt { transaction in
                try transaction.put(["id": "b"], in: "notes")
                try transaction.put(["id": "a", "n": 2], in: "notes")
                try transaction.put(
                    ["id": "a", "n": 3],
                    in: "notes",
                    recording: WriteLog.Intent(name: "add")
                )
                throw Stop()
            }
            try transaction.put(["id": "c"], in: "notes")
            try transaction.put(["id": "b"], in: "notes")
            try transaction.put(["id": "a", "n": 4], in: "notes")
        }
        #expect(
            log.last == [
                line("notes", "a", nil, ["id": "a", "n": 4]),
                line("notes", "c", nil, ["id": "c"]),
                line("notes", "b", nil, ["id": "b"]),
            ]
        )
    }

    @Test func aWriteThatIsRefusedIsNotTold() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a", "slug": "x"], in: "notes")
            _ = try? transaction.put(["id": "b", "slug": "x"], in: "notes")
            try transaction.put(["id": "c"], in: "notes")
        }
        #expect(log.last.map(\.id) == ["a", "c"])
    }

    @Test func whatADeletionTakesAlongIsToldToo() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "f"], in: "folders")
            try transaction.put(["id": "p"], in: "people")
            try transaction.put(["id": "a", "folder": "f"], in: "notes")
            try transaction.put(["id": "b", "author": "p"], in: "notes")
        }
        try await store.write { transaction in
            try transaction.delete("f", in: "folders")
            try transaction.delete("p", in: "people")
        }
        #expect(
            log.last == [
                line("folders", "f", ["id": "f"], nil),
                line("notes", "a", ["id": "a", "folder": "f"], nil),
                line("notes", "b", ["id": "b", "author": "p"], ["id": "b", "author": .null]),
            ]
        )
    }

    @Test func aWriteWithAnIntentStandsForItself() async throws {
        let store = try await store()
        try await store.write { transaction in
            try transaction.put(["id": "a", "n": 1], in: "notes")
            try transaction.put(
                ["id": "a", "n": 2],
                in: "notes",
                recording: WriteLog.Intent(name: "add")
            )
            try transaction.note(WriteLog.Intent(name: "call"), of: "a", in: "notes")
            try transaction.put(["id": "a", "n": 3], in: "notes")
            try transaction.put(["id": "a", "n": 4], in: "notes")
        }
        #expect(
            log.last == [
                line("notes", "a", nil, ["id": "a", "n": 1]),
                line("notes", "a", ["id": "a", "n": 1], ["id": "a", "n": 2], "add"),
                line("notes", "a", ["id": "a", "n": 2], ["id": "a", "n": 2], "call"),
                line("notes", "a", ["id": "a", "n": 2], ["id": "a", "n": 4]),
            ]
        )
    }

    @Test func anIntentInATableThatIsNotRecordedIsAPlainWrite() async throws {
        let store = try await store()
        try await store.write { transaction in
            let intent = WriteLog.Intent(name: "add")
            try transaction.put(["id": "p"], in: "people", recording: intent)
            try transaction.note(intent, of: "p", in: "people")
            try transaction.put(["id": "a"], in: "notes")
        }
        #expect(log.last == [line("notes", "a", nil, ["id": "a"])])
    }

    @Test func whatTheRecorderWritesIsPartOfTheCommitAndToldToNobody() async throws {
        let store = try await store()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        #expect(log.calls.count == 1)
        #expect(try store.read { try $0.contains("seen", in: "notes") })
        #expect(try store.read { try $0.systemValue(for: WriteLog.key) } == [1])
    }

    @Test func aRecorderThatThrowsRollsTheTransactionBack() async throws {
        let store = try await store()
        log.refuse()
        await #expect(throws: WriteLog.Refusal.self) {
            try await store.write { try $0.put(["id": "a"], in: "notes") }
        }
        #expect(try store.read { try $0.count(of: "notes") } == 0)
    }

    @Test func aTransactionThatFailsIsNotTold() async throws {
        let store = try await store()
        let error = await #expect(throws: StoreError.self) {
            try await store.write { try $0.put(["id": "a", "folder": "none"], in: "notes") }
        }
        #expect(error?.code == .missingReference)
        #expect(log.calls.isEmpty)
    }

    @Test func whatComesFromAServerIsNotTold() async throws {
        let store = try await store()
        try await store.writeUnrecorded { try $0.put(["id": "a"], in: "notes") }
        try await store.write { try $0.putDocument([:], of: "b", in: "notes") }
        #expect(log.calls.isEmpty)
    }

    @Test func theRecorderIsToldWhetherTheServerShallApplyItAsOne() async throws {
        let store = try await store()
        try await store.write { try $0.put(["id": "a"], in: "notes") }
        try await store.write(atomicOnServer: true) { try $0.put(["id": "b"], in: "notes") }
        #expect(log.atomic == [false, true])
    }

    @Test func aRecordingIsNoPartOfWhatMakesTablesEqual() {
        var table = Table("notes")
        table.recording = log
        #expect(table == Table("notes"))
        #expect(Set([table, Table("notes")]).count == 1)
    }
}
