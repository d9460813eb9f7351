import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

@Suite struct DifferencesTests {
    private static let rules = SyncRules(fields: ["votes": .counter])

    private func differences(_ old: JSONObject?, _ new: JSONObject?) -> [Mutation.Change] {
        Mutation.Change.differences(from: old, to: new, rules: Self.rules)
    }

    @Test func equalStatesAreNoMutation() {
        #expect(differences(nil, nil).isEmpty)
        #expect(differences(["id": "n1", "a": 1], ["a": 1, "id": "n1"]).isEmpty)
    }

    @Test func aNewRecordIsAPutAndAMissingOneADeletion() {
        #expect(differences(nil, ["id": "n1", "votes": 3]) == [.put(["id": "n1", "votes": 3])])
        #expect(differences(["id": "n1"], nil) == [.delete])
    }

    @Test func aPutOnARecordIsAPatchOfItsDifferences() {
        let changes = differences(
            ["id": "n1", "a": 1, "b": 2, "c": 3],
            ["id": "n1", "a": 1, "b": .null]
        )
        #expect(changes == [.patch(["b": .null], unset: ["c"])])
    }

    @Test func theIDFieldIsInNoPatch() {
        #expect(differences(["id": "1", "a": 1], ["id": 1, "a": 1]).isEmpty)
        #expect(differences(["id": "1", "a": 1], ["a": 1]).isEmpty)
    }

    @Test func aPlainWriteOfACounterIsADelta() {
        let changes = differences(["votes": 5, "a": 1], ["votes": 7, "a": 2])
        #expect(changes == [.patch(["a": 2]), .delta(["votes": 2])])
        #expect(differences([:], ["votes": 0]) == [.delta(["votes": 0])])
    }

    @Test(arguments: [
        (JSONValue?.some(.integer(.min)), JSONValue?.some(.integer(.max))),
        (.double(0.1), .double(0.3)), (.integer(1), nil), (.string("many"), .integer(1)),
        (.integer(1), .string("many")), (.double(1.5), .integer(2)), (.integer(1), .null),
    ])
    func whatNoStepLeadsToExactlyIsWritten(old: JSONValue?, new: JSONValue?) {
        var (before, after) = (JSONObject(), JSONObject())
        before["votes"] = old
        after["votes"] = new
        let changes = differences(before, after)
        #expect(changes.count == 1)
        #expect(changes.reduce(before) { $1.applied(to: $0) ?? [:] } == after)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func differencesLeadExactlyFromOneStateToTheOther(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let (old, new) = (object(&random), object(&random))
            let changes = differences(old, new)
            #expect(changes.reduce(old) { $1.applied(to: $0) } == new, "seed \(seed)")
        }
    }

    private func object(_ random: inout SplitMix64) -> JSONObject? {
        if random.next(below: 5) == 0 { return nil }
        let values: [JSONValue?] = [
            nil, .null, 0, 1, 7, 0.1, 1e300, .integer(.max), .integer(.min), "x", [1], ["a": 1],
        ]
        var object: JSONObject = ["id": "n1"]
        for name in ["a", "b", "votes"] { object[name] = values[random.next(below: values.count)] }
        return object
    }
}
