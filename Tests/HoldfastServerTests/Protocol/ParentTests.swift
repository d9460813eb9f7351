import Holdfast
import HoldfastSync
import Testing

/// Records that refer to others.
struct ParentTests {
    /// S7.
    @Test func childWaitsForItsParentAndBothGoOnceThereIsRoom() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        try await subject.setRoom(false, for: "ann")
        let parent = client.put("f", in: "folders", ["name": "Recipes"])
        let child = client.put("a", ["title": "Bread", "folder": "f"])
        let waiting = try await client.push(
            [parent, child],
            dependsOn: [RecordReference("folders", "f")]
        )
        #expect(waiting.map(\.status) == [.deferred, .deferred])
        #expect(waiting.map(\.problem?.type) == [ProblemType.quota, ProblemType.missingParent])
        try await subject.setRoom(true, for: "ann")
        #expect(try await client.push([parent, child]).map(\.status) == [.applied, .applied])
    }

    /// S8.
    @Test func childOfRecordThatMetConflictIsApplied() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("f", in: "folders", ["name": "Recipes"])
        _ = try await client.push(
            client.operation(.patch, "f", in: "folders", base: base, ["name": "Soups"])
        )
        let results = try await client.push([
            client.operation(.patch, "f", in: "folders", base: base, ["name": "Pies"]),
            client.put("a", ["title": "Bread", "folder": "f"]),
        ])
        #expect(results.map(\.status) == [.conflict, .applied])
    }

    @Test func deletedParentIsConflict() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let base = try await client.create("f", in: "folders", ["name": "Recipes"])
        _ = try await client.push(client.operation(.delete, "f", in: "folders", base: base))
        let result = try await client.push(client.put("a", ["folder": "f"]))
        #expect(result.status == .conflict)
        #expect(result.problem?.type == ProblemType.parentDeleted)
        try await subject.purge()
        let late = client.put("b", ["folder": "f"])
        #expect(try await client.push(late).problem?.type == ProblemType.parentDeleted)
        let waiting = client.put("c", ["folder": "f"])
        let deferred = try await client.push(
            waiting,
            dependsOn: [RecordReference("folders", "f")]
        )
        #expect(deferred.status == .deferred, "the client is about to make it")
    }

    @Test func fieldThatIsLeftAloneIsNotHeldAgainstOtherEdits() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let folder = try await client.create("f", in: "folders", ["name": "Recipes"])
        let base = try await client.create("a", ["folder": "f", "parent": .null])
        _ = try await client.push(client.operation(.delete, "f", in: "folders", base: folder))
        let patch = client.operation(.patch, "a", base: base, ["title": "Bread"])
        let grouped = client.operation(.patch, "a", base: base, ["stars": 1], group: "g")
        #expect(try await client.push([patch, grouped]).map(\.status) == [.applied, .merged])
    }
}
