import Holdfast
import HoldfastTesting
import Testing

/// Whether a check finds what a step does to the fields of records.
@Suite struct MigrationAccountTests {
    private func check(_ body: @escaping MigrationStep.Body) -> MigrationCheck {
        let old = Schema(version: 1) { Table("notes") }
        let new = Schema(version: 2) { Table("notes") }.migrate("step", from: 1, body)
        return MigrationCheck(schemas: [old, new], crashLimit: 0)
            .fixture(version: 1) { store in
                try await store.write { transaction in
                    try transaction.put(["id": "a", "title": "x", "tags": [1]], in: "notes")
                    try transaction.put(["id": 7, "title": "y"], in: "notes")
                }
            }
    }

    private func finding(_ check: MigrationCheck) async -> MigrationViolation? {
        await #expect(throws: MigrationViolation.self) { try await check.run() }
    }

    /// A step that does more than it should, and where that is found.
    struct Fault: Sendable {
        let field: String
        let id: RecordID
        let body: MigrationStep.Body

        init(_ field: String, of id: RecordID, _ body: @escaping MigrationStep.Body) {
            self.field = field
            self.id = id
            self.body = body
        }
    }

    private static let faults = [
        Fault("title", of: "7") { try $0.removeField("title", in: "notes") },
        Fault("tags", of: "a") { try $0.removeField("tags", in: "notes") },
        Fault("title", of: "7") { transaction in
            try transaction.transform("notes") { note, _ in note = ["id": note["id"] ?? 0] }
        },
        Fault("title", of: "7") { transaction in
            try transaction.transform("notes") { note, _ in note["title"] = "" }
        },
        Fault("tags", of: "a") { try $0.patch("a", in: "notes", with: ["tags": .null]) },
        Fault("tags", of: "a") { transaction in
            try transaction.patch("a", in: "notes", with: ["x": [2]], removing: ["tags"])
        },
    ]

    @Test(arguments: faults.indices)
    func aFieldThatIsGoneOrAnotherIsNamed(number: Int) async {
        let fault = Self.faults[number]
        let violation = await finding(check(fault.body))
        #expect(violation?.finding.contains("loses \(fault.field) of the record") == true)
        #expect(violation?.table == "notes")
        #expect(violation?.id == fault.id)
    }

    @Test func aFieldThatIsExpectedToChangeMay() async throws {
        let check = check { transaction in
            try transaction.removeField("tags", in: "notes")
            try transaction.transform("notes") { note, _ in note["title"] = "z" }
        }
        try await check.expecting(.changed("title", "tags", in: "notes")).run()
        let violation = await finding(check.expecting(.changed("title", in: "notes")))
        #expect(violation?.finding.contains("loses tags of") == true)
        let other = await finding(check.expecting(.changed("title", "tags", in: "memos")))
        #expect(other?.id == "7")
    }

    @Test func newFieldsAndNewNamesNeedNoWord() async throws {
        try await check { transaction in
            try transaction.renameField("title", to: "name", in: "notes")
            try transaction.setDefault(false, for: "isPinned", in: "notes")
            try transaction.moveTable("notes", to: "memos")
        }
        .expecting(.moved("notes", to: "memos"))
        .run()
    }

    @Test func aValueStandsForOneFieldThatIsGone() async {
        let check = check { transaction in
            try transaction.transform("notes") { note, _ in
                note["name"] = note.removeValue(named: "title")
                note["both"] = nil
            }
        }
        .fixture(version: 1) { store in
            try await store.write { transaction in
                _ = try transaction.put(["id": "b", "title": "x", "both": "x"], in: "notes")
            }
        }
        let violation = await finding(check)
        #expect(violation?.finding.contains("loses both of") == true)
    }

    @Test func anIDThatIsAnotherOneNeedsNoWordBesideItsMove() async throws {
        let check = check { transaction in
            try transaction.put(["id": "b", "title": "x", "tags": [1]], in: "notes")
            try transaction.delete("a", in: "notes")
        }
        try await check.expecting(.moved("a", in: "notes", to: "b", in: "notes")).run()
    }

    @Test func ofManyVersionsBetweenEachTwoAndAllAreTried() {
        for count in 0...6 as ClosedRange<Int> {
            let choices = MigrationWays.choices(of: Array(0..<count))
            #expect(choices.count == 1 << count)
            #expect(Set(choices).count == choices.count)
        }
        for count in [7, 17, 70] {
            let all = Array(0..<count)
            let choices = MigrationWays.choices(of: all)
            #expect(choices.count == 1 + count + count * (count - 1) / 2 + 1)
            #expect(Set(choices).count == choices.count)
            #expect(choices.first == [])
            #expect(choices.contains(all))
            #expect(choices.contains([count - 2, count - 1]))
        }
    }
}
