import Holdfast
import HoldfastSync
import Testing

extension ServerState {
    static func at(_ version: Int64, _ object: JSONObject?) -> ServerState {
        ServerState(version: RecordVersion(version), object: object)
    }
}

func planned(
    _ mutations: [Mutation],
    on base: ServerState,
    against remote: ServerState?,
    _ rules: SyncRules = SyncRules()
) -> SyncPlan {
    plan(.note, base: base, mutations: mutations, remote: remote, rules: rules)
}

func rebased(
    _ mutations: [Mutation],
    on base: ServerState,
    against remote: ServerState?,
    _ rules: SyncRules = SyncRules()
) throws -> Rebase {
    guard case .rebase(let rebase) = planned(mutations, on: base, against: remote, rules) else {
        throw NoRebase()
    }
    return rebase
}

struct NoRebase: Error {}

@Suite struct PlanTests {
    private let base = ServerState.at(3, ["id": "n1", "a": 1, "b": 1])

    @Test func aCleanRecordTakesWhatIsNewer() {
        let remote = ServerState.at(4, ["id": "n1", "a": 2])
        #expect(planned([], on: base, against: nil) == .idle)
        #expect(planned([], on: base, against: remote) == .accept(remote))
    }

    @Test(arguments: [1, 2, 3])
    func whatIsNotNewerIsNoNews(version: Int64) {
        let remote = ServerState.at(version, nil)
        #expect(planned([], on: base, against: remote) == .idle)
        #expect(planned([.queued(.patch(["a": 2]))], on: base, against: remote) == .send)
    }

    @Test func nothingIsPlannedWhileAnOutcomeIsUnknown() {
        let mutations: [Mutation] = [
            .queued(.patch(["a": 2]), at: 0).sent, .queued(.patch(["a": 1]), at: 1),
        ]
        let remote = ServerState.at(4, ["id": "n1", "a": 3, "b": 1])
        #expect(planned(mutations, on: base, against: remote) == .wait(MutationKey("key-0")))
        #expect(planned(mutations, on: base, against: nil) == .wait(MutationKey("key-0")))
    }

    // S3
    @Test func whatWasRefusedIsNotSentAgain() {
        let refused = Mutation.queued(.patch(["a": 2]), at: 0).refused
        let edit = Mutation.queued(.patch(["b": 2]), at: 1)
        #expect(planned([refused, edit], on: base, against: nil) == .idle)
        #expect(planned([edit, refused], on: base, against: nil) == .send)
    }

    @Test func fieldsThatOnlyOneSideChangedAreMerged() throws {
        let mutation = Mutation.queued(.patch(["a": 2]))
        let remote = ServerState.at(4, ["id": "n1", "a": 1, "b": 5])
        let rebase = try rebased([mutation], on: base, against: remote)
        var expected = Rebase(
            base: remote,
            mutations: [mutation],
            local: ["id": "n1", "a": 2, "b": 5]
        )
        expected.unclaimed = []
        #expect(rebase == expected)
    }

    @Test func theLastToArriveWinsAndTheLedgerKnowsWhatItDiscards() throws {
        let remote = ServerState.at(4, ["id": "n1", "a": 3, "b": 1])
        let rebase = try rebased([.queued(.patch(["a": 2]))], on: base, against: remote)
        #expect(rebase.local == ["id": "n1", "a": 2, "b": 1])
        let entry = try #require(rebase.mutations.first?.ledger.first)
        #expect(entry.field == "a")
        #expect(entry.discarded == 3)
        #expect(entry.kept == 2)
        #expect(entry.discardedVersion == RecordVersion(4))
        #expect(entry.rule == "serverOrder")
    }

    @Test func whatBothWroteAlikeIsAgreed() throws {
        let remote = ServerState.at(4, ["id": "n1", "a": 2])
        let patch = Mutation.queued(.patch(["a": 2], unset: ["b"]))
        #expect(
            try rebased([patch], on: base, against: remote)
                == Rebase(base: remote, mutations: [], local: remote.object)
        )
    }

    @Test func twoCreatesOfOneRecordMeetFieldByField() throws {
        let remote = ServerState.at(4, ["id": "n1", "a": 3, "b": 4])
        let put = Mutation.queued(.put(["id": "n1", "a": 2, "c": 5]))
        let rebase = try rebased([put], on: .absent, against: remote)
        #expect(rebase.mutations.map(\.change) == [.patch(["a": 2, "c": 5])])
        #expect(rebase.local == ["id": "n1", "a": 2, "b": 4, "c": 5])
    }

    @Test func aRecordWrittenAnewKeepsWhatOthersAddedMeanwhile() throws {
        let remote = ServerState.at(4, ["id": "n1", "a": 1, "b": 1, "c": 7])
        let put = Mutation.queued(.put(["id": "n1", "a": 2]))
        let rebase = try rebased([put], on: base, against: remote)
        #expect(rebase.mutations.map(\.change) == [.patch(["a": 2], unset: ["b"])])
        #expect(rebase.local == ["id": "n1", "a": 2, "c": 7])
    }

    @Test func anEarlierLossStaysInTheLedgerUntilTheServerMovesOn() throws {
        let first = ServerState.at(4, ["id": "n1", "a": 3, "b": 1])
        let once = try rebased([.queued(.patch(["a": 2]))], on: base, against: first)
        let other = ServerState.at(5, ["id": "n1", "a": 3, "b": 9])
        let twice = try rebased(once.mutations, on: once.base, against: other)
        #expect(twice.mutations.first?.ledger.map(\.discarded) == [3])
        let moved = ServerState.at(6, ["id": "n1", "a": 4, "b": 9])
        let thrice = try rebased(twice.mutations, on: twice.base, against: moved)
        #expect(thrice.mutations.first?.ledger.map(\.discarded) == [4])
    }

    @Test func deltasAndActionsStayAsTheyAre() throws {
        let mutations: [Mutation] = [
            .queued(.delta(["a": 2]), at: 0), .queued(.action(["b": 8]), at: 1),
        ]
        let remote = ServerState.at(4, ["id": "n1", "a": 5, "b": 5])
        let rebase = try rebased(mutations, on: base, against: remote)
        #expect(rebase.mutations == mutations)
        #expect(rebase.local == ["id": "n1", "a": 7, "b": 8])
    }
}
