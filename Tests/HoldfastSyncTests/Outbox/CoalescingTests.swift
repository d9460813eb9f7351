import Holdfast
import HoldfastSync
import Testing

@Suite struct CoalescingTests {
    private typealias Change = Mutation.Change

    private func coalesced(_ earlier: Change, _ later: Change, on base: JSONObject?) -> Change? {
        let result = Mutation.coalesce(
            .queued(earlier, at: 0),
            with: .queued(later, at: 1),
            wasThere: base != nil
        )
        guard case .one(let mutation) = result else { return nil }
        #expect(mutation.key == MutationKey("key-0"))
        #expect(mutation.position.place == 0)
        return mutation.change
    }

    @Test func putAndPatchAreAPut() {
        #expect(
            coalesced(.put(["a": 1, "b": 2]), .patch(["a": 3], unset: ["b"]), on: nil)
                == .put(["a": 3])
        )
    }

    @Test func patchAndPatchAreAPatch() {
        let change = coalesced(
            .patch(["a": 1, "b": 2], unset: ["c", "d"]),
            .patch(["c": 3], unset: ["b"]),
            on: [:]
        )
        #expect(change == .patch(["a": 1, "c": 3], unset: ["b", "d"]))
    }

    @Test func patchAndDeleteAreADeletion() {
        #expect(coalesced(.patch(["a": 1]), .delete, on: [:]) == .delete)
    }

    // S9
    @Test func deleteAndPutAreAPutOnTheDeletedVersion() {
        #expect(coalesced(.delete, .put(["a": 1]), on: ["a": 0]) == .put(["a": 1]))
    }

    // S19
    @Test func aRecordThatNobodyHasSeenAndThatIsDeletedIsNoMutation() {
        let (put, delete) = (Mutation.queued(.put([:])), Mutation.queued(.delete, at: 1))
        #expect(Mutation.coalesce(put, with: delete, wasThere: false) == .nothing)
        #expect(Mutation.coalesce(put.refused, with: delete, wasThere: false) == .nothing)
    }

    @Test func deletePutDeleteIsADeletion() {
        #expect(coalesced(.put(["a": 1]), .delete, on: ["a": 0]) == .delete)
    }

    @Test(arguments: [
        (Mutation.queued(.delta(["a": 1])), Mutation.queued(.patch(["b": 1]))),
        (.queued(.patch(["b": 1])), .queued(.delta(["a": 1]))),
        (.queued(.delta(["a": 1])), .queued(.delta(["a": 1]))),
        (.queued(.action()), .queued(.patch(["b": 1]))),
        (.queued(.patch(["b": 1])), .queued(.action())),
        (.queued(.patch(["b": 1]), group: "g"), .queued(.patch(["b": 2]))),
        (.queued(.patch(["b": 1])), .queued(.patch(["b": 2]), group: "g")),
        (.queued(.patch(["b": 1])).sent, .queued(.patch(["b": 2]))),
        (.queued(.put([:])).sent, .queued(.delete)),
    ])
    func nothingCoalescesAcrossADeltaAnActionAGroupOrASending(
        earlier: Mutation,
        later: Mutation
    ) {
        #expect(Mutation.coalesce(earlier, with: later, wasThere: true) == .both)
    }

    @Test func anEditOfWhatWasRefusedIsTriedUnderANewKey() {
        let refused = Mutation.queued(.put(["a": 1]), at: 0).refused
        let edit = Mutation.queued(.patch(["a": 2]), at: 1)
        var expected = Mutation.queued(.put(["a": 2]), at: 0)
        expected.key = edit.key
        #expect(Mutation.coalesce(refused, with: edit, wasThere: false) == .one(expected))
    }

    @Test func theLedgerFollowsTheValueThatStaysAndForgetsWhatIsBack() {
        var earlier = Mutation.queued(.patch(["a": 1, "b": 1]), at: 0)
        earlier.ledger = [entry("a", discarded: 5), entry("b", discarded: 6)]
        let later = Mutation.queued(.patch(["a": 2, "b": 6]), at: 1)
        guard case .one(let one) = Mutation.coalesce(earlier, with: later, wasThere: true) else {
            Issue.record("they coalesce")
            return
        }
        #expect(one.ledger.map(\.field) == ["a"])
        #expect(one.ledger.map(\.kept) == [2])
    }

    private func entry(_ field: String, discarded: JSONValue) -> LedgerEntry {
        LedgerEntry(
            id: RecordID(field == "a" ? 1 : 2),
            record: .note,
            field: field,
            discarded: discarded,
            kept: 1,
            discardedVersion: RecordVersion(7),
            rule: "serverOrder"
        )
    }

    /// Every pair of changes on every base: what they are together does what both do.
    @Test func coalescedMutationsDoWhatBothDo() {
        let states: [JSONObject?] = [nil, ["a": 1], ["a": 2, "b": 1]]
        var pairs = 0
        for base in states {
            for earlier in changes(on: base) {
                let middle = earlier.applied(to: base)
                for later in changes(on: middle) {
                    pairs += 1
                    let expected = later.applied(to: middle)
                    let result = Mutation.coalesce(
                        .queued(earlier, at: 0),
                        with: .queued(later, at: 1),
                        wasThere: base != nil
                    )
                    switch result {
                    case .both: #expect(!earlier.hasBase || !later.hasBase)
                    case .one(let one): #expect(one.change.applied(to: base) == expected)
                    case .nothing: #expect(base == nil && expected == nil)
                    }
                }
            }
        }
        #expect(pairs == 54)
    }

    private func changes(on object: JSONObject?) -> [Change] {
        object == nil
            ? [.put(["a": 1]), .put(["b": 2])]
            : [
                .patch(["a": 3]), .patch([:], unset: ["a"]), .patch(["b": .null], unset: ["a"]),
                .delete, .delta(["a": 1]),
            ]
    }
}
