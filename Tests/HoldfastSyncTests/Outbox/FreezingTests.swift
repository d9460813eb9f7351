import Holdfast
import HoldfastSync
import Testing

@Suite struct FreezingTests {
    private static let rules = SyncRules(fields: ["votes": .maximum, "body": .ask, "tags": .set])

    @Test func whatArrivesLastWinsIsForcedAtOnce() {
        let patch = Mutation.queued(.patch(["title": 1, "votes": 2], unset: ["gone"]))
        #expect(Self.rules.force(of: patch) == .fields(["title", "gone"]))
        #expect(Self.rules.merge(of: patch) == .fields)
    }

    @Test(arguments: [FieldPolicy.ask, .keepBoth, .serverWins, .custom { $0.local }])
    func whatMustNotBePassedOverIsNotMergedByTheServer(policy: FieldPolicy) {
        let rules = SyncRules(fields: ["body": policy])
        let set = Mutation.queued(.patch(["title": 1, "body": 2]))
        #expect(rules.merge(of: set) == .none)
        #expect(rules.force(of: set) == .fields(["title"]))
        #expect(rules.merge(of: .queued(.patch([:], unset: ["body"]))) == .none)
        #expect(rules.merge(of: .queued(.patch(["title": 1]))) == .fields)
    }

    // S36
    @Test func afterThreeConflictsInARowEverythingIsForced() {
        let patch = Mutation.Change.patch(["title": 1, "votes": 2], unset: ["tags"])
        #expect(Self.rules.force(of: .queued(patch, conflicts: 2)) == .fields(["title"]))
        #expect(
            Self.rules.force(of: .queued(patch, conflicts: 3))
                == .fields(["title", "votes", "tags"])
        )
        #expect(Self.rules.force(of: .queued(.put(["title": 1]), conflicts: 3)) == .record)
        #expect(Self.rules.force(of: .queued(.delete, conflicts: 3)) == .record)
    }

    @Test func whatAsksIsNeverForcedAndStillComesThrough() {
        let patch = Mutation.queued(.patch(["title": 1, "body": 2]), conflicts: 9)
        #expect(Self.rules.force(of: patch) == .fields(["title"]))
        #expect(Self.rules.merge(of: patch) == .fields)
        #expect(Self.rules.force(of: .queued(.put(["body": 1]), conflicts: 9)) == .nothing)
    }

    @Test func deletionsAreForcedWhereTheyWin() {
        #expect(SyncRules().force(of: .queued(.delete)) == .nothing)
        #expect(SyncRules(deletes: .deleteWins).force(of: .queued(.delete)) == .record)
        #expect(SyncRules(kind: .immutable).force(of: .queued(.delete)) == .record)
    }

    @Test(arguments: [Mutation.Change.delta(["votes": 1]), .action()])
    func deltasAndActionsForceNothing(change: Mutation.Change) {
        #expect(SyncRules().force(of: .queued(change, conflicts: 9)) == .nothing)
    }

    @Test func aPutForcesNothingAtFirst() {
        #expect(SyncRules().force(of: .queued(.put(["a": 1]))) == .nothing)
    }
}
