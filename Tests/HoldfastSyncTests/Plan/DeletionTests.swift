import Holdfast
import HoldfastSync
import Testing

@Suite struct DeletionTests {
    private let base = ServerState.at(3, ["id": "n1", "a": 1, "votes": 5])
    private let tombstone = ServerState.at(4, nil)
    private let edited = ServerState.at(4, ["id": "n1", "a": 9, "votes": 5])
    private let deleteWins = SyncRules(deletes: .deleteWins)

    // S15
    @Test(arguments: [ServerState.at(4, nil), .absent])
    func anEditRevivesADeletedRecordWithAFullPut(remote: ServerState) throws {
        let rebase = try rebased([.queued(.patch(["a": 2]))], on: base, against: remote)
        #expect(rebase.base == remote)
        #expect(rebase.mutations.map(\.change) == [.put(["id": "n1", "a": 2, "votes": 5])])
        let entry = try #require(rebase.mutations.first?.ledger.first)
        #expect(entry.field == nil && entry.discarded == nil)
        #expect(entry.kept == ["id": "n1", "a": 2, "votes": 5])
        #expect(entry.rule == "editWins")
        #expect(entry.discardedVersion == (remote == .absent ? nil : RecordVersion(4)))
    }

    @Test func aPurgedRecordThatNobodyEditedIsGone() {
        #expect(planned([], on: base, against: .absent) == .accept(.absent))
        #expect(planned([], on: .absent, against: .absent) == .idle)
    }

    @Test func theFullPutLeavesPendingDeltasOut() throws {
        let mutations: [Mutation] = [
            .queued(.delta(["votes": 2]), at: 0), .queued(.patch(["a": 2]), at: 1),
            .queued(.delta(["votes": 1]), at: 2),
        ]
        let rebase = try rebased(mutations, on: base, against: tombstone)
        #expect(
            rebase.mutations.map(\.change) == [
                .put(["id": "n1", "a": 2, "votes": 5]), .delta(["votes": 2]), .delta(["votes": 1]),
            ]
        )
        #expect(rebase.mutations.map(\.key.text) == ["key-1", "key-0", "key-2"])
        #expect(rebase.mutations.map(\.position.place) == [1, 0, 2])
        #expect(rebase.local == ["id": "n1", "a": 2, "votes": 8])
    }

    @Test func whatABackupHeldGivesWayToADeletion() throws {
        var edit = Mutation.queued(.patch(["a": 2]))
        edit.isFromBackup = true
        let rebase = try rebased([edit], on: base, against: tombstone)
        #expect(rebase.local == nil && rebase.mutations.isEmpty)
        #expect(rebase.unclaimed.map(\.discarded) == [["id": "n1", "a": 2, "votes": 5]])
    }

    @Test func aRecordThatIsPutAgainCountsItsNumbersOnce() throws {
        var again = Mutation.queued(.put(["id": "n1", "a": 1, "votes": 5]))
        again.isRemade = true
        let rules = SyncRules(fields: ["votes": .counter])
        let others = ServerState.at(6, ["id": "n1", "a": 1, "votes": 7])
        let rebase = try rebased([again], on: .absent, against: others, rules)
        #expect(rebase.local == ["id": "n1", "a": 1, "votes": 7])
        // The first time that a record is put, its numbers are steps from nothing.
        again.isRemade = false
        let first = try rebased([again], on: .absent, against: others, rules)
        #expect(first.local == ["id": "n1", "a": 1, "votes": 12])
    }

    @Test func aStepThatHasToWaitForItsRecordLeavesItsGroup() throws {
        let mutations: [Mutation] = [
            .queued(.delta(["votes": 2]), at: 0, group: "g0"),
            .queued(.patch(["a": 2]), at: 1, group: "g1"),
        ]
        let rebase = try rebased(mutations, on: base, against: tombstone)
        #expect(rebase.mutations.map(\.change.isDelta) == [false, true])
        #expect(rebase.mutations.map(\.group) == ["g1", nil])
    }

    @Test func deltasAndActionsReviveNothing() throws {
        let mutations: [Mutation] = [
            .queued(.delta(["votes": 2]), at: 0), .queued(.action(["a": 7]), at: 1),
        ]
        let rebase = try rebased(mutations, on: base, against: tombstone)
        #expect(rebase.local == nil)
        #expect(rebase.mutations.map(\.change) == [.action()])
        guard case .attention(let problem)? = rebase.mutations.first?.state else {
            Issue.record("no action runs on a tombstone")
            return
        }
        #expect(problem.type == ProblemType.recordDeleted)
        #expect(rebase.unclaimed.map(\.discarded) == [["id": "n1", "a": 1, "votes": 7]])
    }

    @Test func aDeletionWinsOverAnEditWhereTheRulesSaySo() throws {
        let rebase = try rebased(
            [.queued(.patch(["a": 2]))],
            on: base,
            against: tombstone,
            deleteWins
        )
        #expect(rebase.local == nil && rebase.mutations.isEmpty)
        let entry = try #require(rebase.unclaimed.first)
        #expect(entry.discarded == ["id": "n1", "a": 2, "votes": 5])
        #expect(entry.kept == nil && entry.rule == "deleteWins")
    }

    @Test func anEditOfTheServerWinsOverADeletionHere() throws {
        let rebase = try rebased([.queued(.delete)], on: base, against: edited)
        #expect(rebase.mutations.isEmpty)
        #expect(rebase.local == edited.object)
        #expect(rebase.unclaimed.map(\.kept) == [edited.object.map(JSONValue.object)])
        #expect(rebase.unclaimed.map(\.discarded) == [nil])
    }

    @Test func aDeletionHereWinsOverAnEditOfTheServerWhereTheRulesSaySo() throws {
        let rebase = try rebased([.queued(.delete)], on: base, against: edited, deleteWins)
        #expect(rebase.mutations.map(\.change) == [.delete])
        #expect(rebase.local == nil)
        #expect(
            rebase.mutations.first?.ledger.map(\.discarded) == [edited.object.map(JSONValue.object)]
        )
    }

    /// Whoever discards the deletion gets back what was merged, and replaces nothing.
    @Test func whatWasWrittenBeforeADeletionIsMergedAllTheSame() throws {
        let rules = SyncRules(fields: ["tags": .set], deletes: .deleteWins)
        let rebase = try rebased(
            [.queued(.patch(["tags": ["mine"]])), .queued(.delete, at: 1)],
            on: base,
            against: .at(4, ["id": "n1", "a": 1, "votes": 5, "tags": ["theirs"]]),
            rules
        )
        #expect(
            rebase.mutations.map(\.change) == [.patch(["tags": ["theirs", "mine"]]), .delete]
        )
        #expect(rebase.local == nil)
    }

    @Test func aDeletionFollowsAVersionThatChangedNothing() throws {
        let same = ServerState.at(4, base.object)
        let rebase = try rebased([.queued(.delete)], on: base, against: same)
        #expect(rebase == Rebase(base: same, mutations: [.queued(.delete)], local: nil))
    }

    @Test func twoDeletionsAreOne() throws {
        let mutations: [Mutation] = [.queued(.delta(["votes": 1]), at: 0), .queued(.delete, at: 1)]
        let rebase = try rebased(mutations, on: base, against: tombstone)
        #expect(rebase == Rebase(base: tombstone, mutations: [], local: nil))
    }

    // S9
    @Test(arguments: [SyncRules(), SyncRules(deletes: .deleteWins)])
    func aRecordWrittenAnewFollowsTheTombstone(rules: SyncRules) throws {
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let deleted = base.with(.queued(.delete))
        let rebase = try rebased([put], on: deleted, against: tombstone, rules)
        #expect(rebase == Rebase(base: tombstone, mutations: [put], local: ["id": "n1", "a": 2]))
    }

    // S41
    @Test func aRecordThatIsNewHereAndDeletedThereIsAConflict() throws {
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let kept = try rebased([put], on: .absent, against: tombstone)
        #expect(kept.mutations.first?.ledger.map(\.rule) == ["editWins"])
        let gone = try rebased([put], on: .absent, against: tombstone, deleteWins)
        #expect(gone.local == nil && gone.unclaimed.map(\.rule) == ["deleteWins"])
    }

    @Test func anActionThatMetAKnownTombstoneIsNotSentForEver() throws {
        let action = Mutation.queued(.action(), conflicts: 1)
        let rebase = try rebased([action], on: tombstone, against: tombstone)
        #expect(planned(rebase.mutations, on: rebase.base, against: nil) == .idle)
        #expect(planned([.queued(.action())], on: tombstone, against: nil) == .send)
        #expect(planned([action], on: .absent, against: nil) == .send)
    }

    @Test func anActionOnAPurgedRecordIsLeftToTheServer() throws {
        let rebase = try rebased([.queued(.action(["a": 7]))], on: base, against: .absent)
        #expect(rebase == Rebase(base: .absent, mutations: [.queued(.action())], local: nil))
    }

    @Test func whatIsOnlyForTheLedgerRevivesNothing() throws {
        var note = Mutation.queued(.patch([:]))
        note.ledger = [
            LedgerEntry(
                id: RecordID(1),
                record: .note,
                field: "a",
                discarded: 2,
                kept: 9,
                rule: "serverWins"
            )
        ]
        let rebase = try rebased([note], on: base, against: tombstone)
        #expect(rebase == Rebase(base: tombstone, mutations: [note], local: nil))
        let moved = try rebased([note], on: base, against: edited)
        #expect(moved == Rebase(base: edited, mutations: [note], local: edited.object))
    }
}

extension Mutation.Change {
    fileprivate var isDelta: Bool { if case .delta = self { true } else { false } }
}
