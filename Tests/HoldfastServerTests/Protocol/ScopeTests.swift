import Holdfast
import HoldfastSync
import Testing

/// Who sees what.
struct ScopeTests {
    private let team = ScopeName("team")

    /// S32.
    @Test func grantedScopeComesWithItsHistoryAndRevokedOneIsRefused() async throws {
        let subject = try await makeSubject()
        try await subject.grant(team, to: "ann", true)
        let ann = try await TestClient(subject, "a", token: "ann")
        let bob = try await TestClient(subject, "b", token: "bob")
        try await ann.create("n", ["scope": "team"])
        let refused = try await refusal { _ = try await bob.page(scope: team) }
        #expect(refused == (403, ProblemType.scopeRevoked))
        #expect(try await bob.page().scopes == [ScopeName("all")])
        try await subject.grant(team, to: "bob", true)
        #expect(try await bob.page().scopes == [ScopeName("all"), team])
        #expect(try await bob.changes(scope: team).changes.map(\.record.id) == ["n"])
        try await subject.grant(team, to: "bob", false)
        let revoked = try await refusal { _ = try await bob.snapshot(scope: team) }
        #expect(revoked == (403, ProblemType.scopeRevoked))
        #expect(try await bob.page().scopes == [ScopeName("all")])
    }

    @Test func recordsOutsideCannotBeWrittenAndTellNothing() async throws {
        let subject = try await makeSubject()
        try await subject.grant(team, to: "ann", true)
        let ann = try await TestClient(subject, "a", token: "ann")
        let bob = try await TestClient(subject, "b", token: "bob")
        let version = try await ann.create("n", ["scope": "team", "title": "secret"])
        let own = try await bob.create("m", ["title": "Bread"])
        let attempts = [
            bob.put("n", ["title": "Soup"]),
            bob.operation(.delete, "n", base: version, force: .record),
            bob.operation(.delta, "n", ["votes": 1]),
            bob.put("new", ["scope": "team"]),
            bob.operation(.patch, "m", base: own, ["scope": "team"]),
        ]
        for result in try await bob.push(attempts) {
            #expect(result.status == .rejected)
            #expect(result.problem?.type == ProblemType.forbidden)
            #expect(result.record == nil && result.version == nil)
        }
        let request = RecordsRequest(client: bob.client, table: "notes", ids: ["n", "m", "x"])
        let page = try await subject.transport.records(request, bob.credentials)
        #expect(page.records.map(\.record.id) == ["m"])
    }

    @Test func recordThatMovesIsGoneHereAndPutThere() async throws {
        let subject = try await makeSubject()
        try await subject.grant(team, to: "ann", true)
        let client = try await TestClient(subject)
        let first = try await client.create("n", ["title": "Bread"])
        let moved = try await client.push(
            client.operation(.patch, "n", base: first, ["scope": "team"])
        )
        let here = try await client.changes().changes
        #expect(here.map(\.kind) == [.gone])
        #expect(here.first?.version == moved.version)
        #expect(here.first?.fields == nil)
        #expect(here.first?.mine == [MutationKey("client-phone-1"), MutationKey("client-phone-2")])
        #expect(try await client.changes(scope: team).changes.map(\.kind) == [.put])
        #expect(try await client.snapshot().records.isEmpty)
        #expect(try await client.snapshot(scope: team).records.count == 1)
        // It comes back: its departure is not told any more.
        let back = try await client.push(
            client.operation(.patch, "n", base: moved.version, unset: ["scope"])
        )
        #expect(try await client.changes().changes.map(\.kind) == [.put])
        #expect(try await client.changes(scope: team).changes.map(\.kind) == [.gone])
        _ = try await client.push(client.operation(.delete, "n", base: back.version))
        #expect(try await client.changes().changes.map(\.kind) == [.delete])
        #expect(try await client.changes(scope: team).changes.map(\.kind) == [.gone])
    }

    @Test func purgeForgetsDeparturesToo() async throws {
        let subject = try await makeSubject()
        try await subject.grant(team, to: "ann", true)
        let client = try await TestClient(subject)
        let first = try await client.create("n", ["title": "Bread"])
        let early = try await client.changes().cursor
        let moved = try await client.push(
            client.operation(.patch, "n", base: first, ["scope": "team"])
        )
        try await subject.purge()
        let refused = try await refusal { _ = try await client.page(early) }
        #expect(refused == (410, ProblemType.cursorExpired))
        let changes = try await client.changes(scope: team).changes
        #expect(changes.map(\.kind) == [.put])
        let back = client.operation(.patch, "n", base: moved.version, unset: ["scope"])
        #expect(try await client.push(back).status == .applied)
        #expect(try await client.snapshot().records.map(\.record.id) == ["n"])
    }

    @Test func sequencesOfScopesAreTheirOwnAndVersionsAreShared() async throws {
        let subject = try await makeSubject()
        try await subject.grant(team, to: "ann", true)
        let client = try await TestClient(subject)
        for number in 0..<6 {
            let scope: JSONObject = number % 2 == 0 ? [:] : ["scope": "team"]
            try await client.create(RecordID(Int64(number)), scope)
        }
        let all = try await client.changes().changes
        let team = try await client.changes(scope: team).changes
        #expect(all.map(\.sequence) == [1, 2, 3])
        #expect(team.map(\.sequence) == [1, 2, 3])
        #expect(Set((all + team).map(\.version)).count == 6)
    }
}
