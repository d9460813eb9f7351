import HoldfastStorage

/// A family of small workloads whose crashes are all tried: every call, every outcome.
///
/// ```swift
/// for world in SmallWorld.all(of: .journal()) {
///     let tally = try await world.explore(world.workloads.indices)
///     print(world.name, tally.recoveries)
/// }
/// ```
public struct SmallWorld: Sendable {
    /// What is tried, in a few words.
    public let name: String
    /// The workloads.
    ///
    /// Of each the calls of the last operation are crashed, as those before it are another
    /// workload's last. The empty one stands for the making of the store.
    public let workloads: [[CrashOperation]]
    private let subject: CrashSubject
    private let plan: CrashExplorer.Plan

    private init(
        _ name: String,
        _ subject: CrashSubject,
        _ workloads: [[CrashOperation]],
        _ change: (inout CrashExplorer.Plan) -> Void
    ) {
        self.name = name
        self.subject = subject
        self.workloads = workloads
        var plan = CrashExplorer.Plan()
        plan.limits = CrashLimits(independentSectors: 1)
        change(&plan)
        self.plan = plan
    }

    /// Tries every crash of some of the workloads.
    ///
    /// - Parameter numbers: Which of ``workloads``.
    /// - Returns: What was tried.
    /// - Throws: ``CrashViolation``.
    public func explore(_ numbers: Range<Int>) async throws -> CrashExplorer.Tally {
        var explorer = CrashExplorer(subject, plan)
        for workload in workloads[numbers] {
            let first = workload.isEmpty ? nil : workload.count - 1
            try await explorer.explore(workload, from: first)
        }
        return explorer.tally
    }
}

extension SmallWorld {
    /// What the workloads are made of, beside what the engine can be told to do; of the large put
    /// only one fits into a segment of 8,704 bytes.
    private static let steps: [CrashOperation] = [
        .put(1), .put(1, .buffered), .put(1, .ordered), .put(2, length: 400),
        .put(2, length: 400, .buffered), .delete(1), .wait(.milliseconds(20)), .wait(.seconds(1)),
        .reopen,
    ]

    /// All worlds of an engine, the smallest first.
    public static func all(of subject: CrashSubject) -> [SmallWorld] {
        let steps = Self.steps + subject.actions.keys.sorted().map(CrashOperation.action)
        let ones = steps.map { [$0] }
        let twos = ones.flatMap { first in steps.map { first + [$0] } }
        let threes = twos.flatMap { first in steps.map { first + [$0] } }
        return [
            SmallWorld("making a store, crashed three times", subject, [[]]) { plan in
                plan.depth = 2
                plan.draws = 0
            },
            SmallWorld("one operation, crashed three times", subject, ones) { $0.depth = 2 },
            SmallWorld("two operations, crashed twice", subject, twos) { $0.depth = 1 },
            SmallWorld("three operations, crashed once", subject, threes) { $0.goesOn = false },
        ]
    }
}
