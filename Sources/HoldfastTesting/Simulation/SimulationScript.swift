/// Everything that happens to a simulation from outside, in order: what a seed decides, and what is
/// made smaller when it fails.
package struct SimulationScript: Hashable, Sendable {
    /// What the network, the keys and the ids follow from.
    package var seed: UInt64
    /// How many replicas there are.
    package var replicas: Int
    /// What happens, by time.
    package var steps: [SimulationStep]

    package init(seed: UInt64, replicas: Int, steps: [SimulationStep]) {
        self.seed = seed
        self.replicas = replicas
        self.steps = steps
    }
}

extension SimulationScript {
    /// Scripts that are a little simpler, the boldest first.
    package var simpler: [SimulationScript] {
        var results: [SimulationScript] = []
        if replicas > 1 { results.append(withoutLastReplica) }
        results += steps.shortened.map { with($0) }
        results += steps.indices.flatMap { place in
            steps[place].action.simpler.map { action in
                var steps = steps
                steps[place].action = action
                return with(steps)
            }
        }
        return results
    }

    /// The same with clocks that are right.
    package var withoutClocks: SimulationScript {
        with(steps.filter { if case .clock = $0.action { false } else { true } })
    }

    func with(_ steps: [SimulationStep]) -> SimulationScript {
        SimulationScript(seed: seed, replicas: replicas, steps: steps)
    }

    private var withoutLastReplica: SimulationScript {
        SimulationScript(
            seed: seed,
            replicas: replicas - 1,
            steps: steps.filter { $0.action.isAtServer || $0.replica < replicas - 1 }
        )
    }
}

extension SimulationStep.Action {
    /// Actions that say less.
    fileprivate var simpler: [Self] {
        switch self {
        case .network(let conditions, let time) where conditions.link == .open:
            conditions.simpler.map { .network($0, lasting: time) }
        case .crash(true, let calls, let pause):
            [.crash(losesPower: false, calls: calls, pause: pause)]
        default: []
        }
    }
}

extension NetworkConditions {
    /// These conditions with one kind of failure less.
    fileprivate var simpler: [NetworkConditions] {
        let shares: [WritableKeyPath<NetworkConditions, Double>] = [
            \.lostRequests, \.lostAnswers, \.duplicates, \.lateRequests, \.refusals, \.garbage,
            \.distortions,
        ]
        return shares.filter { self[keyPath: $0] > 0 }.map { share in
            var conditions = self
            conditions[keyPath: share] = 0
            return conditions
        }
    }
}
