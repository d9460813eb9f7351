import Foundation
import Holdfast
import HoldfastTesting
import Synchronization
import Testing

@Suite struct MigrationCheckTests {
    private static let first = Schema(version: 1) {
        Table("people") { Index("name") }
        Table("drafts")
    }

    /// What gives another result when it is done twice.
    private static func count(
        _ transaction: inout WriteTransaction,
        _ table: TableName
    ) throws {
        try transaction.transform(table) { person, _ in
            guard case .integer(let steps) = person["steps"] ?? 0 else { return }
            person["steps"] = .integer(steps + 1)
        }
    }

    private static func second(_ change: @escaping MigrationStep.Body = { _ in }) -> Schema {
        Schema(version: 2) {
            Table("people") { Index("last") }
            Table("drafts")
        }
        .migrate("split name", from: 1) { transaction in
            try transaction.renameField("name", to: "last", in: "people")
            try count(&transaction, "people")
            try change(&transaction)
        }
    }

    private static func third(
        _ change: @escaping MigrationStep.Body = { _ in },
        _ last: @escaping MigrationStep.Body = { _ in }
    ) -> Schema {
        Schema(version: 3) {
            Table("persons") { Index("last", unique: true) }
        }
        .migrate("split name", from: 1) { transaction in
            try transaction.renameField("name", to: "last", in: "people")
            try count(&transaction, "people")
            try change(&transaction)
        }
        .migrate("drop drafts", from: 2) { transaction in
            try transaction.moveTable("people", to: "persons")
            try transaction.delete("d", in: "drafts")
            try count(&transaction, "persons")
            try last(&transaction)
        }
    }

    private func check(_ schemas: [Schema], crashLimit: Int = 0) -> MigrationCheck {
        MigrationCheck(schemas: schemas, crashLimit: crashLimit)
            .fixture(version: 1) { store in
                try await store.write { transaction in
                    try transaction.put(["id": "a", "name": "Lovelace"], in: "people")
                    try transaction.put(["id": "b", "name": "Turing"], in: "people")
                    try transaction.put(["id": "d"], in: "drafts")
                }
            }
            .expecting(.moved("people", to: "persons"), .removed("d", in: "drafts"))
    }

    private func violation(
        _ check: MigrationCheck,
        _ finding: String
    ) async -> MigrationViolation? {
        let violation = await #expect(throws: MigrationViolation.self) { try await check.run() }
        #expect(violation?.description.contains(finding) == true, "\(violation as Any)")
        return violation
    }

    @Test func aRightMigrationIsFoundRightOnEveryWayAndAfterEveryCrash() async throws {
        let report = try await check(
            [Self.first, Self.second(), Self.third()],
            crashLimit: 120
        )
        .fixture(version: 0, lines: "{\"id\":\"x\",\"name\":\"y\"}\n", in: "people")
        .fixture(version: 2) { store in
            try await store.write { _ = try $0.put(["id": "c", "last": "z"], in: "people") }
        }
        .fixture(version: 3) { store in
            try await store.write { _ = try $0.put(["id": "c", "last": "z"], in: "persons") }
        }
        .checking { (store) throws in
            #expect(try store.read { try $0.count(of: "drafts") } == 0)
        }
        .run()
        #expect(report.paths == 2 + 4 + 1 + 1)
        #expect(report.records == 3 + 1 + 1 + 1)
        #expect(report.crashes > 40)
    }

    @Test func theFilesThatAnOldAppWroteAreAFixture() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await Store.open(at: path, schema: Self.first)
        try await store.write { transaction in
            for id in ["a", "b"] as [RecordID] {
                _ = try transaction.put(["name": .string(id.text)], in: "people", id: id)
            }
        }
        try await store.close()
        let report = try await MigrationCheck(schemas: [Self.first, Self.third()], crashLimit: 10)
            .fixture(version: 1, directory: path)
            .expecting(.moved("people", to: "persons"))
            .run()
        #expect(report.records == 2)
        #expect(report.crashes > 0)
        await #expect(throws: (any Error).self) {
            try await MigrationCheck(schemas: [Self.first])
                .fixture(version: 1, directory: path + "/none")
                .run()
        }
    }

    @Test(arguments: [nil, 1, 2] as [Int?])
    func filesOfAnotherVersionThanTheTestSaysAreRefused(version: Int?) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let schemas = [Self.first, Self.second(), Self.third()]
        let schema = schemas.first { $0.version == version }
        let store = try await Store.open(at: path, schema: schema)
        try await store.write { _ = try $0.put(["id": "a", "name": "x"], in: "people") }
        try await store.close()
        for claimed in 0...3 {
            let check = MigrationCheck(schemas: schemas, crashLimit: 0)
                .fixture(version: claimed, directory: path)
                .expecting(.moved("people", to: "persons"))
            if claimed == version ?? 0 {
                #expect(try await check.run().records == 1)
            } else {
                let data = version.map { "is of version \($0)" } ?? "was never opened"
                _ = await violation(check, "said to be of version \(claimed), and its data \(data)")
            }
        }
    }

    @Test func aRecordThatIsMovedUnderAnotherIDIsFoundThere() async throws {
        let schema = Schema(version: 2) { Table("people") }
            .migrate("rename", from: 1) { transaction in
                try transaction.transform("drafts") { draft, transaction in
                    try transaction.delete("d", in: "drafts")
                    try transaction.put(["id": "from d"], in: "people")
                }
            }
        func check(_ id: RecordID) -> MigrationCheck {
            MigrationCheck(schemas: [Self.first, schema], crashLimit: 0)
                .fixture(version: 1) { store in
                    try await store.write { _ = try $0.put(["id": "d"], in: "drafts") }
                }
                .expecting(.moved("d", in: "drafts", to: id, in: "people"))
        }
        try await check("from d").run()
        _ = await violation(check("elsewhere"), "The record is gone")
    }

    @Test func aRecordThatIsLostIsNamed() async {
        let lost = await violation(
            check([Self.first, Self.third { try $0.delete("b", in: "people") }]),
            "The record is gone, and no expectation says so."
        )
        #expect(lost?.table == "people")
        #expect(lost?.id == "b")
        #expect(lost?.path == [1, 3])
    }

    @Test func aRecordThatIsSaidToBeGoneAndIsNotIsNamed() async {
        let kept = await violation(
            check([Self.first, Self.third { try $0.put(["id": "d2"], in: "drafts") }])
                .fixture(version: 1) { store in
                    try await store.write { _ = try $0.put(["id": "e"], in: "drafts") }
                }
                .expecting(.removed("e", in: "drafts")),
            "said to be removed, and is there"
        )
        #expect(kept?.id == "e")
    }

    @Test func aWayThatLeadsElsewhereIsNamed() async {
        let other = await violation(
            check([
                Self.first,
                Self.second { try $0.setDefault(2, for: "via", in: "people") },
                Self.third { try $0.setDefault(3, for: "via", in: "people") },
            ]),
            "Another way leads to another result: the record differs in via."
        )
        #expect(other?.path == [1, 2, 3])
        #expect(other?.table == "persons")
    }

    @Test func aStepThatFailsIsNamedWithItsCause() async {
        struct Problem: Error {}
        _ = await violation(
            check([Self.first, Self.third { _ in throw Problem() }]),
            "\"split name\" from version 1 failed"
        )
        _ = await violation(
            check([
                Self.first,
                Self.third { transaction in
                    try transaction.transform("people") { person, _ in person["last"] = "x" }
                },
            ]),
            "Another record of the table has the same value in last"
        )
    }

    @Test func aStepThatDoesSomethingElseTheSecondTimeIsFoundByItsCrashes() async {
        let count = Mutex<Int64>(0)
        let other = await violation(
            check(
                [
                    Self.first,
                    Self.third(
                        { _ in },
                        { transaction in
                            let number = count.withLock { count in
                                count += 1
                                return count / 3
                            }
                            try transaction.setDefault(.integer(number), for: "n", in: "persons")
                        }
                    ),
                ],
                crashLimit: 60
            ),
            "The migration goes on to another result: the record differs in n."
        )
        #expect(other?.crash != nil)
    }

    @Test func aCheckOfTheTestsOwnIsRunOnEveryWay() async throws {
        struct Problem: Error {}
        _ = await violation(
            check([Self.first, Self.third()]).checking { _ in throw Problem() },
            "Problem"
        )
    }

    @Test func whatCannotBeCheckedIsSaid() async {
        _ = await violation(MigrationCheck(schemas: []), "no schema")
        _ = await violation(MigrationCheck(schemas: [Self.first]), "no fixture")
        _ = await violation(check([Self.first, Self.first]), "same version")
        _ = await violation(check([Self.third()]), "fixture of version 1, and no such schema")
    }
}
