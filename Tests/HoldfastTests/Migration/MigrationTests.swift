import Holdfast
import Synchronization
import Testing

@Suite struct MigrationTests {
    private let first = Schema(version: 1) { Table("people") { Index("name") } }

    private var third: Schema {
        Schema(version: 3) {
            Table("people") { Index("last", "first") }
        }
        .migrate("count words", from: 2) { transaction in
            try transaction.setDefault(0, for: "words", in: "people")
        }
        .migrate("split name", from: 1) { transaction in
            try transaction.transform("people") { person, _ in
                guard case .string(let name)? = person["name"] else { return }
                let parts = name.split(separator: " ").map(String.init)
                person["name"] = nil
                person["first"] = .string(parts.first ?? "")
                person["last"] = .string(parts.last ?? "")
            }
        }
    }

    private func filled(_ schema: Schema?) async throws -> MemoryStorage {
        let storage = MemoryStorage()
        let store = try await Store(storage: storage, schema: schema)
        try await store.write { transaction in
            try transaction.put(["id": "a", "name": "Ada Lovelace", "other": 1], in: "people")
            try transaction.put(["id": "b", "name": "Alan Turing"], in: "people")
        }
        return storage
    }

    @Test func everyStepOfALongJumpRunsInTheOrderOfTheVersions() async throws {
        let storage = try await filled(first)
        let store = try await Store(storage: storage, schema: third)
        try store.read { (transaction) throws in
            #expect(
                try transaction.get("a", in: "people") == [
                    "id": "a", "other": 1, "first": "Ada", "last": "Lovelace", "words": 0,
                ]
            )
            let stored = try #require(try transaction.storedSchema())
            #expect(stored.version == 3)
            #expect(stored.steps.map(\.name) == ["split name", "count words"])
            #expect(stored.steps.map(\.version) == [1, 2])
            #expect(!stored.isBetweenSteps)
        }
        #expect(try store.indexes(of: "people") == [Index("last", "first")])
        let number = try store.sequenceNumber
        #expect(try await Store(storage: storage, schema: third).sequenceNumber == number)
    }

    @Test func aNewStoreIsMadeAtTheNewestVersionAndRunsNoStep() async throws {
        let store = try await Store(
            storage: MemoryStorage(),
            schema: first.migrate("never", from: 0) { _ in throw CancellationError() }
        )
        #expect(try store.read { try $0.storedSchema() }?.version == 1)
        #expect(try store.read { try $0.storedSchema() }?.steps.isEmpty == true)
    }

    @Test func aStoreWithDeclarationsAndNoRecordCountsAsNew() async throws {
        let storage = MemoryStorage()
        let plain = try await Store(storage: storage)
        try await plain.write { transaction in
            try transaction.declare("people", idField: "id")
            try transaction.put(["id": "a"], in: "people")
            try transaction.delete("a", in: "people")
        }
        let schema = first.migrate("never", from: 0) { _ in throw CancellationError() }
        let store = try await Store(storage: storage, schema: schema)
        #expect(try store.read { try $0.storedSchema() }?.version == 1)
        #expect(try store.read { try $0.storedSchema() }?.steps.isEmpty == true)
    }

    @Test func aStoreThatHadNoSchemaRunsEveryStep() async throws {
        let storage = try await filled(nil)
        let schema = third.migrate("from nothing", from: 0) { transaction in
            try transaction.setDefault("yes", for: "old", in: "people")
        }
        let store = try await Store(storage: storage, schema: schema)
        let stored = try store.read { try $0.storedSchema() }
        #expect(stored?.steps.map(\.name) == ["from nothing", "split name", "count words"])
        #expect(try store.read { try $0.get("b", in: "people") }?["old"] == "yes")
    }

    @Test func aStepThatFailsLeavesTheStoreAsItWasBeforeIt() async throws {
        struct Problem: Error {}
        let storage = try await filled(first)
        let failing = Schema(version: 3) { Table("people") }
            .migrate("works", from: 1) { try $0.setDefault(true, for: "new", in: "people") }
            .migrate("fails", from: 2) { transaction in
                try transaction.removeField("new", in: "people")
                throw Problem()
            }
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: failing)
        }
        #expect(error?.code == .migrationFailed)
        #expect(error?.message.contains("\"fails\" from version 2") == true)
        #expect(error?.cause is Problem)

        let second = Schema(version: 2) { Table("people") }
            .migrate("works", from: 1) { _ in throw Problem() }
        let store = try await Store(storage: storage, schema: second)
        #expect(try store.read { try $0.schemaVersion() } == 2)
        #expect(try store.read { try $0.get("a", in: "people") }?["new"] == true)
        #expect(try store.read { try $0.get("a", in: "people") }?["other"] == 1)
    }

    @Test(
        arguments: [
            (nil, 0, "opens without a schema."), (1, 1, "opens with the schema of version 1."),
            (1, 2, "opens with the schema of version 1."),
        ]
    )
    func aStepThatFailsSaysWhichSchemasOpenTheStore(
        version: Int?,
        start: Int,
        opening: String
    ) async throws {
        struct Problem: Error {}
        let storage = try await filled(version == nil ? nil : first)
        let failing = Schema(version: 3) { Table("people") }
            .migrate("fails", from: start) { _ in throw Problem() }
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: failing)
        }
        #expect(error?.message.hasSuffix("as it was before it, and " + opening) == true)
        _ = try await Store(storage: storage, schema: version == nil ? nil : first)
    }

    @Test func ofSeveralStepsFromOneVersionEachRunsOnce() async throws {
        struct Problem: Error {}
        let storage = try await filled(first)
        let runs = Mutex<[String]>([])
        func schema(failing: Bool) -> Schema {
            Schema(version: 2) { Table("people") }
                .migrate("one", from: 1) { _ in runs.withLock { $0.append("one") } }
                .migrate("two", from: 1) { _ in
                    runs.withLock { $0.append("two") }
                    if failing { throw Problem() }
                }
        }
        let failure = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: schema(failing: true))
        }
        #expect(
            failure?.message.hasSuffix(
                "opens with a schema of version 2 or later alone, which runs this step first:"
                    + " another step from version 1 has run already."
            ) == true
        )
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: first)
        }
        #expect(error?.code == .schemaTooNew)
        _ = try await Store(storage: storage, schema: schema(failing: false))
        #expect(runs.withLock { $0 } == ["one", "two", "two"])
    }

    @Test func aRuleThatNoLongerHoldsFailsTheStepAndOneThatIsNotDeclaredAnyMoreDoesNot()
        async throws
    {
        let old = Schema(version: 1) {
            Table("people") { Index("name", unique: true) }
            Table("pets") { Reference("owner", to: "people", onDelete: .cascade) }
        }
        func schema(unique: Bool) -> Schema {
            Schema(version: 2) {
                Table("people") { if unique { Index("name", unique: true) } }
            }
            .migrate("same name", from: 1) { transaction in
                try transaction.transform("people") { person, _ in person["name"] = "x" }
            }
        }
        let storage = try await filled(old)
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: schema(unique: true))
        }
        #expect(error?.code == .migrationFailed)
        #expect((error?.cause as? StoreError)?.code == .uniqueConflict)
        #expect(error?.otherID != nil)
        let store = try await Store(storage: storage, schema: schema(unique: false))
        #expect(try store.read { try $0.get("b", in: "people") }?["name"] == "x")
        #expect(try store.read { try $0.references(of: "pets") }.count == 1)
    }

    @Test func aStepThatDeletesWhatIsReferredToFails() async throws {
        let old = Schema(version: 1) {
            Table("pets") { Reference("owner", to: "people", onDelete: .cascade) }
        }
        let storage = try await filled(old)
        let store = try await Store(storage: storage, schema: old)
        try await store.write { _ = try $0.put(["id": "p", "owner": "a"], in: "pets") }
        let new = Schema(version: 2) { Table("people") }
            .migrate("delete", from: 1) { _ = try $0.delete("a", in: "people") }
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store(storage: storage, schema: new)
        }
        #expect((error?.cause as? StoreError)?.code == .missingReference)
        #expect(error?.id == "p")
        #expect(try store.read { try $0.get("a", in: "people") } != nil)
    }

    @Test func progressSaysWhichStepRunsAndHowFarItIs() async throws {
        let storage = try await filled(first)
        let store = try await Store(storage: storage)
        try await store.write { transaction in
            for number in 0..<2_500 as Range<Int64> {
                try transaction.put(["id": .integer(number)], in: "people")
            }
        }
        let reports = Mutex<[MigrationProgress]>([])
        _ = try await Store(
            storage: storage,
            schema: third,
            progress: { progress in reports.withLock { $0.append(progress) } }
        )
        let seen = reports.withLock { $0 }
        #expect(seen.map(\.step).first == "split name")
        #expect(seen.map(\.number) == [1, 1, 1, 2, 2, 2])
        #expect(seen.map(\.records) == [0, 1_000, 2_000, 0, 1_000, 2_000])
        #expect(seen.allSatisfy { $0.count == 2 })
    }
}
