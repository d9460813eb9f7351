import Holdfast
import HoldfastSync
import Testing

/// How a mutation meets the state of its record.
struct PushRuleTests {
    @Test(arguments: [false, true])
    func putOfNewRecordIsAppliedAndDelivered(codes: Bool) async throws {
        let client = try await TestClient(LocalSubject(codes: codes))
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
        let client = try await TestClient(LocalSubject(codes: true))
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
}
