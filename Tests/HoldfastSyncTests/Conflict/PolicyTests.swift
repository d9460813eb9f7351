import Holdfast
import HoldfastSync
import Testing

@Suite struct PolicyTests {
    /// One field that both sides changed, and what each policy makes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let policy: FieldPolicy
        let base: JSONValue?
        let local: JSONValue?
        let remote: JSONValue?
        let merged: JSONValue?
        let discarded: [JSONValue?]

        init(
            _ policy: FieldPolicy,
            _ base: JSONValue?,
            _ local: JSONValue?,
            _ remote: JSONValue?,
            gives merged: JSONValue?,
            discarding discarded: [JSONValue?] = []
        ) {
            (self.policy, self.base, self.local) = (policy, base, local)
            (self.remote, self.merged, self.discarded) = (remote, merged, discarded)
        }

        var testDescription: String { "\(policy): \(local as Any) \(remote as Any)" }
    }

    static let cases: [Case] = [
        Case(.serverOrder, 1, 2, 3, gives: 2, discarding: [3]),
        Case(.serverOrder, 1, nil, 3, gives: nil, discarding: [3]),
        Case(.serverOrder, 1, 2, nil, gives: 2, discarding: [nil]),
        Case(.serverOrder, 1, 1, 3, gives: 1, discarding: [3]),
        Case(.serverWins, 1, 2, 3, gives: 3, discarding: [2]),
        Case(.serverWins, 1, nil, 3, gives: 3, discarding: [nil]),
        Case(.serverWins, 1, 2, nil, gives: nil, discarding: [2]),
        Case(.maximum, 1, 5, 3, gives: 5, discarding: [3]),
        Case(.maximum, 1, 2, 3, gives: 3, discarding: [2]),
        Case(.maximum, 1, nil, 3, gives: 3, discarding: [nil]),
        Case(.maximum, 1, 2, 2.5, gives: 2.5, discarding: [2]),
        Case(.maximum, 1, 3, 3.0, gives: 3.0, discarding: [3]),
        Case(.minimum, 9, 5, 3, gives: 3, discarding: [5]),
        Case(.minimum, 9, 2, 3, gives: 2, discarding: [3]),
        Case(.minimum, 9, nil, 3, gives: 3, discarding: [nil]),
        Case(.minimum, 9, 2, nil, gives: 2, discarding: [nil]),
        Case(.counter, 5, 7, 10, gives: 12),
        Case(.counter, nil, 2, 3, gives: 5),
        Case(.counter, 5, "many", 10, gives: "many", discarding: [10]),
        Case(.counter, 5, 7, nil, gives: 7, discarding: [nil]),
        Case(.set, ["a", "b"], ["b", "c"], ["a", "b", "d"], gives: ["b", "d", "c"]),
        Case(.set, nil, ["a", "b"], ["b", "c"], gives: ["b", "c", "a"]),
        Case(.set, .null, ["a"], ["b"], gives: ["b", "a"]),
        Case(.set, ["a"], [], ["a", "b"], gives: ["b"]),
        Case(.set, ["a"], "none", ["a", "b"], gives: "none", discarding: [["a", "b"]]),
        Case(.text, "a\nb\nc", "a!\nb\nc", "a\nb\nc!", gives: "a!\nb\nc!"),
        Case(.text, "a\nb", "a\nx", "a\ny", gives: "a\nx", discarding: ["a\ny"]),
        Case(.text, nil, "mine", "yours", gives: "yours\nmine"),
        Case(.text, "a", 1, "b", gives: 1, discarding: ["b"]),
        Case(.text, "a", nil, "b", gives: nil, discarding: ["b"]),
        Case(.custom { $0.base }, 1, 2, 3, gives: 1, discarding: [2, 3]),
        Case(.custom { $0.local }, 1, 2, 3, gives: 2, discarding: [3]),
        Case(.custom { $0.remote }, 1, 2, 3, gives: 3, discarding: [2]),
        Case(.custom { _ in nil }, 1, 2, 3, gives: nil, discarding: [2, 3]),
    ]

    @Test(arguments: cases)
    func eachPolicyDecidesAndTheLedgerHasWhatLoses(testCase: Case) throws {
        var (base, remote): (JSONObject, JSONObject) = (["id": "n1"], ["id": "n1"])
        base["f"] = testCase.base
        remote["f"] = testCase.remote
        let change: Mutation.Change =
            testCase.local.map { .patch(["f": $0]) } ?? .patch([:], unset: ["f"])
        let rules = SyncRules(fields: ["f": testCase.policy])
        let rebase = try rebased(
            [.queued(change)],
            on: .at(3, base),
            against: .at(4, remote),
            rules
        )
        #expect(rebase.local?["f"] == testCase.merged)
        let entries = rebase.mutations.flatMap(\.ledger) + rebase.unclaimed
        #expect(entries.map(\.discarded) == testCase.discarded)
        #expect(
            entries.allSatisfy { $0.rule == "\(testCase.policy)" && $0.kept == testCase.merged }
        )
        #expect(rebase.unclaimed.isEmpty || rebase.mutations.isEmpty)
    }

    @Test(
        arguments: [(5, 3, "mine"), (3, 5, "yours"), (4, 4, "yours")] as [(Int64, Int64, String)]
    )
    func theLaterOfTwoWinsByTheAppsOwnTime(mine: Int64, yours: Int64, winner: String) throws {
        let rules = SyncRules(fields: ["text": .latest(by: "at")])
        let rebase = try rebased(
            [.queued(.patch(["text": "mine", "at": .integer(mine)]))],
            on: .at(3, ["text": "old", "at": 1]),
            against: .at(4, ["text": "yours", "at": .integer(yours)]),
            rules
        )
        #expect(rebase.local == ["text": .string(winner), "at": .integer(max(mine, yours))])
    }

    @Test func theTimeThatDecidesIsNeverForced() {
        let rules = SyncRules(fields: ["text": .latest(by: "at")])
        #expect(rules.force(of: .queued(.patch(["text": "mine", "at": 5]))) == .nothing)
    }

    @Test func keepBothMakesOneCopyOfTheRecordAsItWasHere() throws {
        let rules = SyncRules(.keepBoth)
        let base = ServerState.at(3, ["id": "n1", "a": 1, "b": 1, "c": 1])
        let remote = ServerState.at(4, ["id": "n1", "a": 3, "b": 3, "c": 1])
        let patch = Mutation.queued(.patch(["a": 2, "b": 2, "c": 2]))
        let rebase = try rebased([patch], on: base, against: remote, rules)
        #expect(rebase.local == ["id": "n1", "a": 3, "b": 3, "c": 2])
        let copy = try #require(rebase.copies.first)
        #expect(rebase.copies.count == 1)
        #expect(copy.object == ["id": .string(copy.id.text), "a": 2, "b": 2, "c": 2])
        #expect(try rebased([patch], on: base, against: remote, rules) == rebase)
        var other = patch
        other.key = MutationKey("other")
        #expect(try rebased([other], on: base, against: remote, rules).copies.first?.id != copy.id)
    }

    @Test func askWaitsAndTheAppDecides() throws {
        let rules = SyncRules(fields: ["a": .ask])
        let base = ServerState.at(3, ["id": "n1", "a": 1, "b": 1])
        let remote = ServerState.at(4, ["id": "n1", "a": 3, "b": 3])
        let patch = Mutation.queued(.patch(["a": 2, "b": 2]), conflicts: 9)
        #expect(planned([patch], on: base, against: remote, rules) == .ask(fields: ["a"]))
        let mine = resolve(
            .note,
            base: base,
            mutations: [patch],
            remote: remote,
            rules: rules,
            choosing: .local
        )
        #expect(mine.local == ["id": "n1", "a": 2, "b": 2])
        #expect(mine.mutations.first?.ledger.map(\.discarded) == [3, 3])
        let yours = resolve(
            .note,
            base: base,
            mutations: [patch],
            remote: remote,
            rules: rules,
            choosing: .remote
        )
        #expect(yours.local == ["id": "n1", "a": 3, "b": 2])
        #expect(yours.mutations.first?.ledger.map(\.rule) == ["ask", "serverOrder"])
    }

    @Test func whatNobodyElseTouchedIsNotAsked() throws {
        let rules = SyncRules(.ask)
        let base = ServerState.at(3, ["id": "n1", "a": 1, "b": 1])
        let rebase = try rebased(
            [.queued(.patch(["a": 2]))],
            on: base,
            against: .at(4, ["id": "n1", "a": 1, "b": 3]),
            rules
        )
        #expect(rebase.local == ["id": "n1", "a": 2, "b": 3])
    }

    @Test(arguments: [SyncRules.Kind.immutable, .serverAuthoritative])
    func whatIsWrittenOnceIsAsTheServerHasIt(kind: SyncRules.Kind) throws {
        let mutations: [Mutation] = [
            .queued(.put(["id": "n1", "a": 2, "b": 2]), at: 0), .queued(.action(), at: 1),
        ]
        let remote = ServerState.at(4, ["id": "n1", "a": 3])
        let rebase = try rebased(mutations, on: .absent, against: remote, SyncRules(kind: kind))
        #expect(rebase.local == remote.object)
        #expect(rebase.mutations == [mutations[1]])
        #expect(rebase.unclaimed.map(\.discarded) == [["id": "n1", "a": 2, "b": 2]])
        let agreed = try rebased(
            mutations,
            on: .absent,
            against: .at(4, ["id": "n1", "a": 2, "b": 2]),
            SyncRules(kind: kind)
        )
        #expect(agreed.unclaimed.isEmpty && agreed.mutations == [mutations[1]])
    }

    @Test func onlyTheLastOfSeveralWritersWritesWhatWasMerged() throws {
        let mutations: [Mutation] = [
            .queued(.patch(["n": 7, "x": 1]), at: 0, group: "g"),
            .queued(.patch(["n": 8]), at: 1, group: "h"),
        ]
        let rebase = try rebased(
            mutations,
            on: .at(3, ["n": 5]),
            against: .at(4, ["n": 10]),
            SyncRules(fields: ["n": .counter])
        )
        #expect(rebase.mutations.map(\.change) == [.patch(["x": 1]), .patch(["n": 13])])
    }
}
