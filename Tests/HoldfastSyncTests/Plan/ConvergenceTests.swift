import Holdfast
import HoldfastSync
import HoldfastTesting
import Testing

/// Replicas whose record is merged by plans alone, against a server that is a model.
@Suite struct ConvergenceTests {
    private static let policies: [FieldPolicy] = PlanWorld.policies + [.ask]

    // S10
    @Test(arguments: policies)
    func twoOfflineEditorsEndEqualWhoeverIsFirst(policy: FieldPolicy) {
        let rules = SyncRules(policy)
        let states: [JSONObject?] = [
            nil, ["id": "n1", "a": 2], ["id": "n1", "a": 3, "b": 2], ["id": "n1", "b": 3],
            ["id": "n1", "a": [1], "b": "x"],
        ]
        for first in states {
            for second in states {
                for third in states {
                    for order in 0..<4 {
                        var world = World(replicas: 2, rules: rules)
                        world.begin(with: ["id": "n1", "a": 1, "b": 1])
                        world.replicas[0].write(first)
                        world.replicas[1].write(second)
                        world.replicas[1].write(third)
                        if order > 1 { world.replicas[order % 2].pull(from: world.server) }
                        world.settle(from: order % 2)
                        world.expectEqual("\(policy) \(first as Any) \(second as Any) \(order)")
                    }
                }
            }
        }
    }

    @Test(arguments: [FieldPolicy.maximum, .minimum, .counter, .latest(by: "b")])
    func someRulesGiveTheSameWhoeverIsFirst(policy: FieldPolicy) {
        let values: [JSONValue] = [0, 2, 3, -1]
        for mine in values {
            for yours in values {
                let ends = (0..<2).map { first in
                    var world = World(replicas: 2, rules: SyncRules(policy))
                    world.begin(with: ["id": "n1", "a": 1, "b": 1])
                    world.replicas[0].write(["id": "n1", "a": mine, "b": yours])
                    world.replicas[1].write(["id": "n1", "a": yours, "b": mine])
                    world.settle(from: first)
                    return world.server.state.object
                }
                #expect(ends[0] == ends[1], "\(policy) \(mine) \(yours)")
            }
        }
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func replicasConvergeAfterAnyInterleaving(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<8 {
            let rules = rules(&random)
            var world = World(replicas: 3, rules: rules)
            for _ in 0..<30 { world.step(&random) }
            world.settle(from: 0)
            world.expectEqual("seed \(seed) round \(round) \(rules)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func everyIncrementCountsOnce(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var world = World(replicas: 3, rules: SyncRules(fields: ["votes": .counter]))
        world.begin(with: ["id": "n1", "votes": 0])
        var expected: Int64 = 0
        for _ in 0..<40 {
            let replica = random.next(below: 3)
            if random.next(below: 2) == 0 {
                let step = Int64(random.next(below: 9)) - 4
                world.replicas[replica].queue(.delta(["votes": .integer(step)]))
                expected += step
            } else {
                world.exchange(replica, &random)
            }
        }
        world.settle(from: 0)
        #expect(world.server.state.object?["votes"] == .integer(expected), "seed \(seed)")
    }

    private func rules(_ random: inout SplitMix64) -> SyncRules {
        func policy() -> FieldPolicy { Self.policies[random.next(below: Self.policies.count)] }
        return SyncRules(
            policy(),
            fields: ["a": policy(), "c": policy()],
            deletes: random.next(below: 3) == 0 ? .deleteWins : .editWins
        )
    }
}

/// A server and its replicas.
private struct World {
    var server = ModelServer()
    var replicas: [ModelReplica]

    init(replicas count: Int, rules: SyncRules) {
        replicas = (0..<count).map { ModelReplica(name: "r\($0)-", rules: rules) }
    }

    /// Every replica has this record.
    mutating func begin(with object: JSONObject) {
        replicas[0].write(object)
        settle(from: 0)
    }

    /// One replica edits, or speaks to the server, which may lose its answer.
    mutating func step(_ random: inout SplitMix64) {
        let replica = random.next(below: replicas.count)
        switch random.next(below: 4) {
        case 0: replicas[replica].write(edited(replicas[replica].local, &random))
        case 1: replicas[replica].pull(from: server)
        default: exchange(replica, &random)
        }
    }

    mutating func exchange(_ replica: Int, _ random: inout SplitMix64) {
        replicas[replica].push(to: &server, losingAnswer: random.next(below: 4) == 0)
        if random.next(below: 2) == 0 { replicas[replica].pull(from: server) }
    }

    private func edited(_ object: JSONObject?, _ random: inout SplitMix64) -> JSONObject? {
        guard var object else { return ["id": "n1", "a": .integer(Int64(random.next(below: 9)))] }
        if random.next(below: 8) == 0 { return nil }
        let values: [JSONValue?] = [nil, 1, 2, 3, "x", "x\ny", "y", [1], [1, 2], [3]]
        for _ in 0...random.next(below: 2) {
            object[["a", "b", "c"][random.next(below: 3)]] =
                values[random.next(below: values.count)]
        }
        return object
    }

    /// Everybody sends and asks in turn until nothing is left to send.
    mutating func settle(from first: Int) {
        for round in 0..<100 {
            for offset in replicas.indices {
                let replica = (first + offset) % replicas.count
                replicas[replica].push(to: &server)
                replicas[replica].pull(from: server)
            }
            if round > 0, replicas.allSatisfy(\.mutations.isEmpty) { break }
        }
        for replica in replicas.indices { replicas[replica].pull(from: server) }
    }

    func expectEqual(_ what: @autoclosure () -> String) {
        for replica in replicas {
            if !replica.mutations.isEmpty { Issue.record("\(replica.name) never ends: \(what())") }
            if replica.local != server.state.object || replica.base != server.state {
                Issue.record("\(replica.name) differs: \(what())")
            }
        }
    }
}
