import Holdfast
import HoldfastSync
import Testing

/// How a mutation meets the state of its record.
struct PushRuleTests {
    @Test(arguments: [false, true])
    func putOfNewRecordIsAppliedAndDelivered(overHTTP: Bool) async throws {
        let client = try await TestClient(makeSubject(overHTTP: overHTTP))
        let result = try await client.push(client.put("a", ["title": "Bread"]))
        #expect(result.status == .applied)
        #expect(result.record == nil, "what is stored is what was sent")
        let changes = try await client.changes().changes
        #expect(changes.map(\.record) == [RecordReference("notes", "a")])
        #expect(changes.first?.fields == ["id": "a", "title": "Bread"])
        #expect(changes.first?.version == result.version)
        #expect(changes.first?.mine == [MutationKey("client-phone-1")])
    }

    @Test func putOfRecordThatIsThereIsConflictAndEqualOneIsNoop() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let equal = try await client.push(client.put("a", ["title": "Bread"]))
        #expect(equal.status == .noop)
        #expect(equal.version == version)
        let other = try await client.push(client.put("a", ["title": "Soup"]))
        #expect(other.status == .conflict)
        #expect(other.version == version)
        #expect(other.record == ["id": "a", "title": "Bread"])
        #expect(try await client.changes().changes.count == 1)
    }

    @Test func putOnItsBaseReplacesTheWholeRecord() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread", "stars": 5])
        let result = try await client.push(client.put("a", base: version, ["title": "Soup"]))
        #expect(result.status == .applied)
        #expect(try #require(result.version) > version)
        #expect(try await client.changes().changes.map(\.fields) == [["id": "a", "title": "Soup"]])
        let stale = try await client.push(client.put("a", base: version, ["title": "Pie"]))
        #expect(stale.status == .conflict)
        #expect(stale.version == result.version)
    }

    @Test func putWithoutIDFieldGetsItAndWithAnotherIsRejected() async throws {
        let client = try await TestClient(makeSubject())
        let bare = client.operation(.put, "a", ["title": "Bread"])
        #expect(try await client.push(bare).status == .applied)
        #expect(try await client.changes().changes.first?.fields?["id"] == "a")
        let wrong = client.operation(.put, "b", ["id": "c"])
        let result = try await client.push(wrong)
        #expect(result.status == .rejected)
        #expect(result.problem?.type == ProblemType.invalid)
        #expect(result.problem?.pointer == "/id")
    }

    @Test func patchOnItsBaseSetsAndRemovesFields() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread", "stars": 5])
        let patch = client.operation(
            .patch,
            "a",
            base: version,
            ["title": "Soup", "note": .null],
            unset: ["stars"]
        )
        let result = try await client.push(patch)
        #expect(result.status == .applied)
        #expect(result.record == nil)
        let fields = try await client.changes().changes.first?.fields
        #expect(fields == ["id": "a", "title": "Soup", "note": .null])
    }

    @Test func patchThatChangesNothingIsNoop() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let patch = client.operation(
            .patch,
            "a",
            base: version,
            ["title": "Bread"],
            unset: ["stars"]
        )
        let result = try await client.push(patch)
        #expect(result.status == .noop)
        #expect(result.version == version)
    }

    @Test func patchThatCannotBeIsRejected() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let patches = [
            client.operation(.patch, "a", ["title": "Soup"]),
            client.operation(.patch, "a", base: version, ["x": 1], unset: ["x"]),
            client.operation(.patch, "a", base: version, ["title": "Soup"], unset: ["id"]),
            client.operation(.patch, "a", base: version, ["id": "b"]),
        ]
        for patch in patches {
            let result = try await client.push(patch)
            #expect(result.status == .rejected)
            #expect(result.problem?.type == ProblemType.invalid)
        }
        #expect(try await client.changes().changes.first?.version == version)
    }

    @Test func deleteLeavesTombstoneAndSecondOneIsNoop() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let result = try await client.push(client.operation(.delete, "a", base: version))
        #expect(result.status == .applied)
        #expect(result.isTombstone)
        let again = try await client.push(client.operation(.delete, "a", base: version))
        #expect(again.status == .noop)
        #expect(again.version == result.version)
        let unknown = try await client.push(client.operation(.delete, "b", base: version))
        #expect(unknown.status == .noop)
        #expect(unknown.version == nil)
        let change = try #require(await client.changes().changes.first)
        #expect(change.kind == .delete)
        #expect(change.version == result.version)
        #expect(change.fields == nil)
    }

    @Test func deleteOfNewerRecordIsConflictUnlessForced() async throws {
        let client = try await TestClient(makeSubject())
        let old = try await client.create("a", ["title": "Bread"])
        let new = try await client.push(
            client.operation(.patch, "a", base: old, ["title": "Soup"])
        )
        let result = try await client.push(client.operation(.delete, "a", base: old))
        #expect(result.status == .conflict)
        #expect(result.version == new.version)
        #expect(result.record == ["id": "a", "title": "Soup"])
        let forced = client.operation(.delete, "a", base: old, force: .record)
        #expect(try await client.push(forced).status == .applied)
    }

    /// S9.
    @Test func putOnTombstoneRevivesAndOthersDoNot() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread", "votes": 1])
        let tombstone = try await client.push(client.operation(.delete, "a", base: version))
        let losers = [
            client.put("a", ["title": "Soup"]),
            client.operation(.patch, "a", base: version, ["title": "Soup"]),
            client.operation(.patch, "a", base: tombstone.version, ["title": "Soup"]),
            client.operation(.patch, "a", base: version, ["title": "Soup"], force: .record),
            client.operation(.delta, "a", ["votes": 1]),
            client.operation(.action, "a", ["title": "Soup"], action: "rename"),
        ]
        for loser in losers {
            let result = try await client.push(loser)
            #expect(result.status == .conflict, "\(loser.kind)")
            #expect(result.isTombstone)
            #expect(result.version == tombstone.version)
        }
        let revived = try await client.push(
            client.put("a", base: tombstone.version, ["title": "Soup"])
        )
        #expect(revived.status == .applied)
        #expect(try await client.changes().changes.map(\.kind) == [.put])
    }

    @Test func deltasAddUpWhateverTheBase() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["votes": 1, "title": "Bread"])
        let first = client.operation(.delta, "a", ["votes": 2, "seen": 1])
        let second = client.operation(.delta, "a", ["votes": -4, "weight": 0.5])
        let results = try await client.push([first, second])
        #expect(results.map(\.status) == [.applied, .applied])
        let expected: JSONObject = [
            "id": "a", "votes": -1, "title": "Bread", "seen": 1, "weight": 0.5,
        ]
        #expect(results.last?.record == expected)
        #expect(try await client.changes().changes.first?.fields == expected)
        let wrong = client.operation(.delta, "a", ["votes": "many"])
        #expect(try await client.push(wrong).status == .rejected)
    }

    @Test func actionRunsItsHandlerAndFailsVisibly() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["title": "Bread"])
        let rename = client.operation(.action, "a", ["title": "Soup"], action: "rename")
        let result = try await client.push(rename)
        #expect(result.status == .applied)
        #expect(result.record == ["id": "a", "title": "Soup"])
        // What it changed is told apart from what others did before.
        let known = client.operation(
            .action,
            "a",
            base: result.version,
            ["title": "Pie"],
            action: "rename"
        )
        let exact = try await client.push(known)
        #expect(exact.status == .applied)
        let blind = client.operation(
            .action,
            "a",
            base: result.version,
            ["title": "Tea"],
            action: "rename"
        )
        let merged = try await client.push(blind)
        #expect(merged.status == .merged && merged.record == ["id": "a", "title": "Tea"])
        let empty = try await client.push(client.operation(.action, "a", action: "rename"))
        #expect(empty.status == .rejected)
        #expect(empty.problem?.type == ProblemType.invalid)
        let unknown = try await client.push(client.operation(.action, "a", action: "explode"))
        #expect(unknown.status == .rejected)
        #expect(unknown.problem?.type == ProblemType.unknownAction)
        #expect(try await client.changes().changes.first?.version == merged.version)
    }

    /// S28.
    @Test func serverMayCorrectAndRefuseRecords() async throws {
        let client = try await TestClient(makeSubject())
        let corrected = try await client.push(client.put("a", ["title": " trim "]))
        #expect(corrected.status == .applied)
        #expect(corrected.record == ["id": "a", "title": "trim"])
        let refused = try await client.push(client.put("b", ["title": "forbidden"]))
        #expect(refused.status == .rejected)
        #expect(refused.problem?.pointer == "/title")
        #expect(try await client.changes().changes.map(\.record.id) == ["a"])
    }

    @Test func baseOfRecordThatIsNotThereIsNeverCreate() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("other", ["title": "Bread"])
        let operations = [
            client.put("a", base: base, ["title": "Soup"]),
            client.operation(.patch, "a", base: base, ["title": "Soup"]),
            client.operation(.delta, "a", ["votes": 1]),
        ]
        for operation in operations {
            let result = try await client.push(operation)
            #expect(result.status == .conflict)
            #expect(result.problem?.type == ProblemType.purged)
            #expect(result.version == nil)
        }
    }

    @Test func recordTooDeepForTheLedgerIsRejected() async throws {
        let client = try await TestClient(makeSubject())
        func nested(_ levels: Int) -> JSONValue {
            (0..<levels).reduce(JSONValue.integer(1)) { value, _ in .array([value]) }
        }
        let fitting = try await client.push(client.put("a", ["x": nested(127)]))
        #expect(fitting.status == .applied)
        let deep = try await client.push(client.put("b", ["x": nested(128)]))
        #expect(deep.status == .rejected)
        let forced = client.operation(.delete, "a", base: nil, force: .record)
        #expect(try await client.push(forced).status == .applied)
    }
}
