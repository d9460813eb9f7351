import HoldfastStorage

extension SmallWorld {
    /// Commits of every durability, two rotations, marks, a sync by time, and a reopening.
    private static let workload: [CrashOperation] = [
        .put(1), .put(2, .buffered), .put(3, length: 400), .wait(.milliseconds(20)),
        .put(4, length: 400, .buffered), .delete(1), .wait(.seconds(1)), .reopen,
        .put(5, .ordered), .delete(2), .put(6, length: 400),
    ]

    /// The Nth call fails, for every N, in every way, while the store is worked with and while it
    /// recovers.
    static func failures(of subject: CrashSubject) -> [SmallWorld] {
        let actions = subject.actions.keys.sorted().map(CrashOperation.action)
        let workload = Self.workload + actions + [.put(7)]
        let recovered = [2, 4, 7].map { Array(Self.workload.prefix($0)) } + [workload]
        let faults = faults()
        let recoveryFaults = recoveryFaults()
        return [
            SmallWorld("any call fails", .failures, parts: faults.count) { part in
                try await everyCall(subject, faults[part]) { explorer, fault in
                    try await explorer.explore(workload, failing: [fault])
                }
            },
            SmallWorld(
                "any call of a recovery fails",
                .failures,
                parts: recoveryFaults.count * recovered.count
            ) { part in
                let (fault, workload) = part.quotientAndRemainder(dividingBy: recovered.count)
                return try await everyCall(subject, recoveryFaults[fault]) { explorer, fault in
                    try await explorer.explore(recoveryOf: recovered[workload], failing: [fault])
                }
            },
        ]
    }

    private static func faults() -> [DiskFault] {
        let errors: [SystemErrorNumber] = [.inputOutput, .noSpace]
        return errors.flatMap { [DiskFault(.error($0)), DiskFault(.error($0), times: nil)] }
            + [DiskFault(.error(.interrupted))]
            + [0, 1, 7].map { DiskFault(.short($0), on: [.write]) }
            + FailedSync.allCases.map { DiskFault(.failedSync($0), on: [.sync]) }
    }

    private static func recoveryFaults() -> [DiskFault] {
        let errors: [SystemErrorNumber] = [.inputOutput, .noSpace, .permissionDenied]
        return errors.flatMap { [DiskFault(.error($0)), DiskFault(.error($0), times: nil)] }
            + FailedSync.allCases.filter { $0 != .reportedLate }
            .map { DiskFault(.failedSync($0), on: [.sync]) }
    }

    /// Lets every call fail that a fault can meet.
    ///
    /// - Returns: How many there are.
    private static func everyCall(
        _ subject: CrashSubject,
        _ fault: DiskFault,
        _ explore: (inout CrashExplorer, DiskFault) async throws -> Bool
    ) async throws -> Int {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        var explorer = CrashExplorer(subject, plan)
        var fault = fault
        while try await explore(&explorer, fault) { fault.skipped += 1 }
        return fault.skipped
    }
}
