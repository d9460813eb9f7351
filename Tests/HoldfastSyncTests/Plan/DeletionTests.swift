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
        #expect(rebase.mutations.map(\.position.place) == [0, 1, 2])
        #expect(rebase.local == ["id": "n1", "a": 2, "votes": 8])
    }

    @Test func deltasAndActionsReviveNothing() throws {
        let mutations: [Mutation] = [
            .queued(.delta(["votes": 2]), at: 0), .queued(.action(["a": 7]), at: 1),
        ]
        let rebase = try rebased(mutations, on: base, against: tombstone)
        #expect(rebase.local == nil)
        #expect(rebase.mutations.map(\.change) == [.action()])
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

    @Test func aRecordWrittenAnewFollowsTheTombstone() throws {
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let old = ServerState.at(2, nil)
        let rebase = try rebased([put], on: old, against: tombstone)
        #expect(rebase.mutations.map(\.change) == [put.change])
        #expect(rebase.local == ["id": "n1", "a": 2])
    }

    @Test func aChildOfADeletedParentWaitsForTheApp() {
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let asked = plan(
            .note,
            base: .absent,
            mutations: [put],
            remote: nil,
            rules: SyncRules(),
            isParentDeleted: true
        )
        #expect(asked == .ask(fields: []))
        let given = resolve(
            .note,
            base: .absent,
            mutations: [put],
            remote: .absent,
            rules: SyncRules(),
            choosing: .remote,
            isParentDeleted: true
        )
        #expect(given.mutations.isEmpty && given.local == nil)
        #expect(given.unclaimed.map(\.discarded) == [["id": "n1", "a": 2]])
        let kept = resolve(
            .note,
            base: .absent,
            mutations: [put],
            remote: .absent,
            rules: SyncRules(),
            choosing: .local,
            isParentDeleted: true
        )
        #expect(kept.mutations == [put])
    }

    @Test func aChildGoesWithItsParentWhereDeletionsWin() {
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let planned = plan(
            .note,
            base: .absent,
            mutations: [put],
            remote: nil,
            rules: deleteWins,
            isParentDeleted: true
        )
        guard case .rebase(let rebase) = planned else {
            Issue.record("it is decided")
            return
        }
        #expect(rebase.mutations.isEmpty && rebase.local == nil)
        #expect(rebase.unclaimed.map(\.rule) == ["parentDeleted"])
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
