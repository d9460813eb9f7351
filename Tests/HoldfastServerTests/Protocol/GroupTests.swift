import Holdfast
import HoldfastSync
import Testing

/// A group is applied at once or not at all.
struct GroupTests {
    @Test func groupIsAppliedWhole() async throws {
        let client = try await TestClient(makeSubject())
        let results = try await client.push([
            client.operation(.put, "b", ["title": "Soup", "folder": "f"], group: "g"),
            client.operation(.put, "f", in: "folders", ["name": "Recipes"], group: "g"),
            client.operation(.delta, "b", ["votes": 1], group: "g"),
        ])
        #expect(results.map(\.status) == [.applied, .applied, .applied])
        let changes = try await client.changes().changes
        #expect(changes.map(\.record.id) == ["b", "f"])
        #expect(changes.first?.fields?["votes"] == 1)
    }

    @Test func nothingOfFailedGroupIsAppliedAndAllConflictsAreReported() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        try await client.create("b", ["title": "Bread"])
        let (first, last) = (client.put("c", ["title": "1"]), client.put("d", ["title": "2"]))
        let group = [
            client.operation(.put, "new", ["title": "New"], group: "g"),
            client.operation(.put, "a", ["title": "Soup"], group: "g"),
            client.operation(.patch, "a", base: version, ["x": 1], group: "g"),
            client.operation(.put, "b", ["title": "Pie"], group: "g"),
        ]
        let results = try await client.push([first] + group + [last])
        #expect(
            results.map(\.status)
                == [.applied, .deferred, .conflict, .deferred, .conflict, .applied]
        )
        #expect(results[1].problem?.type == ProblemType.groupFailed)
        #expect(results[2].version == version)
        #expect(results[2].record == ["id": "a", "title": "Bread"])
        #expect(
            try await client.changes().changes.map(\.record.id) == ["a", "b", "c", "d"],
            "positions have no gaps"
        )
        #expect(try await client.changes().changes.map(\.sequence) == [1, 2, 3, 4])
        // The others come again as they were.
        let again = try await client.push([group[0], group[2]])
        #expect(again.map(\.status) == [.applied, .applied])
    }

    @Test func rejectionAndMissingParentHoldTheirGroupBack() async throws {
        let client = try await TestClient(makeSubject())
        let rejected = try await client.push([
            client.operation(.put, "a", ["title": "Bread"], group: "g"),
            client.operation(.put, "b", ["title": "forbidden"], group: "g"),
        ])
        #expect(rejected.map(\.status) == [.deferred, .rejected])
        let orphaned = try await client.push([
            client.operation(.put, "a", ["title": "Bread"], group: "h"),
            client.operation(.put, "b", ["folder": "nowhere"], group: "h"),
        ])
        #expect(orphaned.map(\.status) == [.deferred, .deferred])
        #expect(orphaned.last?.problem?.type == ProblemType.missingParent)
        #expect(try await client.changes().changes.isEmpty)
    }

    @Test func groupThatWritesARecordTwiceIsComparedWithWhatWasThereBeforeIt() async throws {
        let client = try await TestClient(makeSubject())
        let created = try await client.push([
            client.operation(.put, "a", ["title": "Bread"], group: "g"),
            client.operation(.delta, "a", ["votes": 1], group: "g"),
            client.operation(.put, "b", ["title": "Pie"], group: "g"),
            client.operation(.patch, "a", ["title": "Soup"], group: "g"),
        ])
        #expect(created.map(\.status) == [.applied, .applied, .applied, .applied])
        #expect(created.last?.record == ["id": "a", "title": "Soup", "votes": 1])
        let version = try #require(created.last?.version)
        let edited = try await client.push([
            client.operation(.patch, "a", base: version, ["title": "1"], group: "h"),
            client.operation(.delta, "a", ["votes": 1], group: "h"),
            client.operation(.patch, "a", base: version, ["title": "2"], merge: .none, group: "h"),
            client.operation(.delta, "a", ["votes": 1], group: "h"),
            client.operation(.delete, "a", base: version, group: "h"),
            client.operation(.put, "a", base: version, ["title": "3"], group: "h"),
        ])
        #expect(edited.allSatisfy { $0.status == .applied })
        let changes = try await client.changes().changes
        #expect(changes.map(\.record.id) == ["b", "a"])
        #expect(changes.last?.fields == ["id": "a", "title": "3"])
    }

    @Test func groupOnAnOlderBaseMeetsWhatOthersWroteAndNotItself() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "x": 0])
        _ = try await client.push(client.operation(.patch, "a", base: base, ["x": 1]))
        let merged = try await client.push([
            client.operation(.patch, "a", base: base, ["title": "1"], group: "g"),
            client.operation(.patch, "a", base: base, ["title": "2"], group: "g"),
        ])
        #expect(merged.map(\.status) == [.merged, .merged])
        let refused = try await client.push([
            client.operation(.patch, "a", base: base, ["y": 1], group: "h"),
            client.operation(.patch, "a", base: base, ["x": 2], group: "h"),
        ])
        #expect(refused.map(\.status) == [.deferred, .conflict])
        // Without a group a patch always names the version that it was made on.
        let result = try await client.push(client.operation(.patch, "a", ["x": 2]))
        #expect(result.status == .rejected)
    }

    @Test func groupIsReplayedWhole() async throws {
        let client = try await TestClient(makeSubject())
        let group = [
            client.operation(.put, "a", ["votes": 1], group: "g"),
            client.operation(.delta, "a", ["votes": 1], group: "g"),
        ]
        _ = try await client.push(group)
        #expect(try await client.push(group).map(\.status) == [.replayed, .replayed])
        #expect(try await client.changes().changes.first?.fields?["votes"] == 2)
    }

    @Test func conflictOfOneGroupLeavesAnotherAlone() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["title": "Bread"])
        let results = try await client.push([
            client.operation(.put, "x", ["title": "1"], group: "one"),
            client.operation(.put, "y", ["title": "2"], group: "two"),
            client.operation(.put, "a", ["title": "3"], group: "one"),
            client.operation(.put, "z", ["title": "4"], group: "two"),
        ])
        #expect(results.map(\.status) == [.deferred, .applied, .conflict, .applied])
    }
}
