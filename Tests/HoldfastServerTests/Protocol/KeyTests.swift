import Holdfast
import HoldfastSync
import Testing

/// At most one effect for each key.
struct KeyTests {
    /// S26.
    @Test func secondPushOfOneMutationChangesNothing() async throws {
        let client = try await TestClient(makeSubject())
        let put = client.put("a", ["votes": 1])
        let delta = client.operation(.delta, "a", ["votes": 1])
        let first = try await client.push([put, delta])
        let second = try await client.push([put, delta])
        #expect(second.map(\.status) == [.replayed, .replayed])
        #expect(second.map(\.original) == [.applied, .applied])
        #expect(second.map(\.version) == first.map(\.version))
        #expect(second.last?.record == ["id": "a", "votes": 2])
        #expect(try await client.changes().changes.first?.fields?["votes"] == 2)
    }

    @Test func sameKeyTwiceInOneRequestIsOneEffect() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["votes": 1])
        let delta = client.operation(.delta, "a", ["votes": 1])
        let results = try await client.push([delta, delta])
        #expect(results.map(\.status) == [.applied, .replayed])
        #expect(try await client.changes().changes.first?.fields?["votes"] == 2)
    }

    @Test func keyWithOtherBytesIsRejectedAndChangesNothing() async throws {
        let client = try await TestClient(makeSubject())
        let put = client.put("a", ["title": "Bread"])
        _ = try await client.push(put)
        var other = put
        other.fields["title"] = "Soup"
        let result = try await client.push(other)
        #expect(result.status == .rejected)
        #expect(result.problem?.type == ProblemType.keyReused)
        #expect(try await client.push(put).status == .replayed, "the first result stays")
    }

    @Test func conflictAndRejectionAreReplayedToo() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let conflict = client.put("a", ["title": "Soup"])
        let rejected = client.put("b", ["title": "forbidden"])
        _ = try await client.push([conflict, rejected])
        _ = try await client.push(client.operation(.patch, "a", base: version, ["x": 1]))
        let replayed = try await client.push([conflict, rejected])
        #expect(replayed.map(\.original) == [.conflict, .rejected])
        #expect(replayed.first?.record == ["id": "a", "title": "Bread"])
        #expect(replayed.first?.version == version)
        #expect(replayed.last?.problem?.pointer == "/title")
    }

    @Test func keysOfAnotherPrincipalAreOthers() async throws {
        let subject = try await makeSubject()
        let ann = try await TestClient(subject, "phone", token: "ann")
        let bob = try await TestClient(subject, "phone", token: "bob")
        let first = ann.put("a", ["title": "Bread"])
        #expect(try await ann.push(first).status == .applied)
        #expect(try await bob.push(bob.put("b", ["title": "Soup"])).status == .applied)
    }

    @Test func acknowledgedKeysAreForgottenAndNeverAppliedAgain() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["votes": 1])
        let put = client.put("b", ["title": "Bread"])
        let delta = client.operation(.delta, "a", ["votes": 1])
        _ = try await client.push([put, delta])
        client.acknowledged = client.sequence
        _ = try await client.push([])
        let late = try await client.push([put, delta])
        #expect(late.map(\.status) == [.expired, .expired])
        let votes = try await client.changes().changes.first { $0.record.id == "a" }
        #expect(votes?.fields?["votes"] == 2)
        // A request that was overtaken says less than what is known already.
        client.acknowledged = 0
        #expect(try await client.push(put).status == .expired)
    }

    /// S41: a phone that was restored from a backup takes another name.
    @Test func stepOfCounterIsNotCountedTwiceUnderAnotherName() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        try await client.create("a", ["votes": 1])
        let delta = client.operation(.delta, "a", ["votes": 1])
        let action = client.operation(.action, "a", ["title": "Soup"], action: "rename")
        _ = try await client.push([delta, action])
        client.acknowledged = client.sequence
        _ = try await client.push([])
        let restored = try await TestClient(subject, "restored")
        #expect(try await restored.push([delta, action]).map(\.status) == [.expired, .expired])
        let change = try await restored.changes().changes.first
        #expect(change?.fields?["votes"] == 2)
    }

    @Test func retentionEndsResultsAndMarkers() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let put = client.put("a", ["votes": 1])
        let delta = client.operation(.delta, "a", ["votes": 1])
        _ = try await client.push([put, delta])
        try await subject.advance(by: .seconds(89 * 86_400))
        try await subject.collectKeys()
        #expect(try await client.push([put, delta]).map(\.status) == [.replayed, .replayed])
        try await subject.advance(by: .seconds(86_400))
        try await subject.collectKeys()
        #expect(try await client.push([put, delta]).map(\.status) == [.expired, .expired])
        #expect(try await client.changes().changes.first?.fields?["votes"] == 2)
    }

    @Test func deferredIsNotKept() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        try await subject.setRoom(false, for: "ann")
        let put = client.put("f", in: "folders", ["name": "Recipes"])
        let deferred = try await client.push(put)
        #expect(deferred.status == .deferred)
        #expect(deferred.problem?.type == ProblemType.quota)
        try await subject.setRoom(true, for: "ann")
        #expect(try await client.push(put).status == .applied)
    }

    @Test func mineNamesUncollectedKeysOfTheAskingClientAlone() async throws {
        let subject = try await makeSubject()
        let phone = try await TestClient(subject, "phone")
        let tablet = try await TestClient(subject, "tablet")
        let version = try await phone.create("a", ["votes": 1])
        _ = try await phone.push(phone.operation(.delta, "a", ["votes": 1]))
        _ = try await tablet.push(tablet.operation(.delta, "a", ["votes": 1]))
        _ = try await phone.push(phone.put("a", ["title": "conflict"]))
        #expect(
            try await phone.changes().changes.first?.mine
                == [MutationKey("client-phone-1"), MutationKey("client-phone-2")]
        )
        #expect(
            try await tablet.changes().changes.first?.mine == [MutationKey("client-tablet-1")]
        )
        phone.acknowledged = 1
        _ = try await phone.push(phone.operation(.delete, "a", base: version, force: .record))
        let mine = try await phone.changes().changes.first { $0.kind == .delete }?.mine
        #expect(mine == [MutationKey("client-phone-2"), MutationKey("client-phone-4")])
    }
}
