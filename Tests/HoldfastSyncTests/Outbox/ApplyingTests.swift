import Holdfast
import HoldfastSync
import Testing

@Suite struct ApplyingTests {
    @Test func patchesAndDeltasMakeNothingOfNothing() {
        #expect(Mutation.Change.patch(["a": 1]).applied(to: nil) == nil)
        #expect(Mutation.Change.delta(["a": 1]).applied(to: nil) == nil)
        #expect(Mutation.Change.action().applied(to: nil) == nil)
    }

    @Test func aGuessMayBeARecordThatTheServerIsToMake() {
        #expect(Mutation.Change.action(["a": 1]).applied(to: nil) == ["a": 1])
        #expect(
            Mutation.Change.action(["a": 1]).applied(to: ["a": 2, "b": 3]) == ["a": 1, "b": 3]
        )
    }

    @Test func aPatchSetsAndRemovesAndKeepsTheRest() {
        let change = Mutation.Change.patch(["a": 1, "n": .null], unset: ["b", "x"])
        #expect(change.applied(to: ["b": 2, "c": 3]) == ["a": 1, "n": .null, "c": 3])
    }

    @Test(arguments: [
        (JSONValue?.none, JSONValue.integer(2), JSONValue?.some(.integer(2))),
        (.null, .double(0.5), .double(0.5)),
        (.integer(1), .integer(-3), .integer(-2)),
        (.integer(.max), .integer(1), .double(0x1p63)),
        (.integer(1), .double(0.5), .double(1.5)),
        (.double(0.5), .integer(1), .double(1.5)),
        (
            .double(.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude),
            .double(.greatestFiniteMagnitude)
        ),
        (
            .double(-.greatestFiniteMagnitude), .double(-.greatestFiniteMagnitude),
            .double(-.greatestFiniteMagnitude)
        ),
        (.string("text"), .integer(1), .string("text")),
        (.integer(1), .string("text"), .integer(1)),
    ])
    func countersCountWithoutEverTrapping(
        value: JSONValue?,
        step: JSONValue,
        expected: JSONValue?
    ) {
        #expect(JSONValue.counting(value, and: step) == expected)
    }

    @Test func aSnapshotLeavesDeltasAndGuessesOut() {
        let mutations: [Mutation] = [
            .queued(.patch(["a": 1])), .queued(.delta(["votes": 1])), .queued(.action(["a": 7])),
            .queued(.patch(["b": 2])),
        ]
        #expect(mutations.snapshot(of: ["votes": 5]) == ["votes": 5, "a": 1, "b": 2])
        #expect(mutations.applied(to: ["votes": 5]) == ["votes": 6, "a": 7, "b": 2])
    }

    @Test func discardingACreateTakesWhatWasBuiltOnIt() {
        let mutations: [Mutation] = [
            .queued(.put(["a": 1]), at: 0), .queued(.delta(["a": 1]), at: 1),
            .queued(.patch(["b": 1]), at: 2), .queued(.action(), at: 3), .queued(.delete, at: 4),
            .queued(.put(["a": 9]), at: 5), .queued(.patch(["b": 9]), at: 6),
        ]
        let kept = mutations.discarding(MutationKey("key-0"), on: nil)
        #expect(kept == [mutations[3], mutations[5], mutations[6]])
    }

    @Test func discardingAPatchAppliesLaterOnesAgain() {
        let mutations: [Mutation] = [
            .queued(.patch(["a": 1]), at: 0), .queued(.patch(["b": 2]), at: 1),
        ]
        let kept = mutations.discarding(MutationKey("key-0"), on: ["a": 0])
        #expect(kept.applied(to: ["a": 0]) == ["a": 0, "b": 2])
    }
}
