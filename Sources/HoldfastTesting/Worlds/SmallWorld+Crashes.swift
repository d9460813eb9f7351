import HoldfastStorage

extension SmallWorld {
    /// What the workloads are made of, beside what the engine can be told to do; of the large put
    /// only one fits into a segment of 8,704 bytes.
    private static let steps: [CrashOperation] = [
        .put(1), .put(1, .buffered), .put(1, .ordered), .put(2, length: 400),
        .put(2, length: 400, .buffered), .delete(1), .wait(.milliseconds(20)), .wait(.seconds(1)),
        .reopen,
    ]

    /// Every call of every workload is crashed with every outcome of what was not synced, and the
    /// recoveries too.
    static func crashes(of subject: CrashSubject) -> [SmallWorld] {
        let steps = Self.steps + subject.actions.keys.sorted().map(CrashOperation.action)
        let ones = steps.map { [$0] }
        let twos = ones.flatMap { first in steps.map { first + [$0] } }
        let threes = twos.flatMap { first in steps.map { first + [$0] } }
        return [
            crashes("the making of a store, crashed three times", subject, [[]]) { plan in
                plan.depth = 2
                plan.draws = 0
            },
            crashes("one operation, crashed three times", subject, ones) { $0.depth = 2 },
            crashes("two operations, crashed twice", subject, twos) { $0.depth = 1 },
            crashes("three operations, crashed once", subject, threes) { $0.goesOn = false },
        ]
    }

    /// Of each workload the calls of the last operation are crashed, as those before it are another
    /// workload's last; of the empty one the making of the store.
    private static func crashes(
        _ name: String,
        _ subject: CrashSubject,
        _ workloads: [[CrashOperation]],
        _ change: (inout CrashExplorer.Plan) -> Void
    ) -> SmallWorld {
        var changed = CrashExplorer.Plan()
        changed.limits = CrashLimits(independentSectors: 1)
        change(&changed)
        let plan = changed
        return SmallWorld(name, .crashStates, parts: workloads.count) { part in
            var explorer = CrashExplorer(subject, plan)
            let workload = workloads[part]
            try await explorer.explore(workload, from: workload.isEmpty ? nil : workload.count - 1)
            return explorer.tally.recoveries
        }
    }
}
