import HoldfastStorage
import HoldfastTesting
import Testing

/// The Nth call fails, for every N.
@Suite struct FaultProofTests {
    /// Commits of every durability, two rotations, marks, a sync by time, and a reopening.
    static let workload: [CrashOperation] = [
        .put(1), .put(2, .buffered), .put(3, length: 400), .wait(.milliseconds(20)),
        .put(4, length: 400, .buffered), .delete(1), .wait(.seconds(1)), .reopen,
        .put(5, .ordered), .delete(2), .put(6, length: 400),
    ]

    private func check(_ faults: (Int) -> [DiskFault]) async throws {
        try await checkEveryNumber { number, explorer in
            try await explorer.explore(Self.workload, failing: faults(number))
        }
    }

    private func checkRecovery(_ faults: (Int) -> [DiskFault]) async throws {
        for length in [2, 4, 7] {
            let workload = Array(Self.workload.prefix(length))
            try await checkEveryNumber { number, explorer in
                try await explorer.explore(recoveryOf: workload, failing: faults(number))
            }
        }
    }

    private func checkEveryNumber(
        _ explore: (Int, inout CrashExplorer) async throws -> Bool
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        var explorer = CrashExplorer(.journal(), plan)
        var number = 0
        while try await explore(number, &explorer) { number += 1 }
        #expect(number > 0)
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace, .interrupted])
    func anyCallMayFailOnce(errno: SystemErrorNumber) async throws {
        try await check { [DiskFault(.error(errno), after: $0)] }
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace])
    func anyCallAndAllAfterItMayFail(errno: SystemErrorNumber) async throws {
        try await check { [DiskFault(.error(errno), after: $0, times: nil)] }
    }

    @Test(arguments: [0, 1, 7])
    func anyWriteMayBeShort(count: Int) async throws {
        try await check { [DiskFault(.short(count), on: [.write], after: $0)] }
    }

    @Test(arguments: FailedSync.allCases)
    func anySyncMayFail(model: FailedSync) async throws {
        try await check { [DiskFault(.failedSync(model), on: [.sync], after: $0)] }
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace, .permissionDenied], [1, nil])
    func anyCallOfARecoveryMayFail(errno: SystemErrorNumber, times: Int?) async throws {
        try await checkRecovery { [DiskFault(.error(errno), after: $0, times: times)] }
    }

    @Test(arguments: FailedSync.allCases.filter { $0 != .reportedLate })
    func anySyncOfARecoveryMayFail(model: FailedSync) async throws {
        try await checkRecovery { [DiskFault(.failedSync(model), on: [.sync], after: $0)] }
    }

    /// The file is all zero where frames are going to stand: a frame that lacks only its last zeros
    /// is whole.
    @Test(arguments: [true, false])
    func aRefusedCommitNeverComesBackHoweverMuchOfItWasWritten(goesOn: Bool) async throws {
        var plan = CrashExplorer.Plan()
        plan.goesOn = goesOn
        plan.draws = 1
        var explorer = CrashExplorer(.journal(), plan)
        let workload: [CrashOperation] = [.put(1), .put(2, length: 13)]
        for written in 0...80 {
            let wasMet = try await explorer.explore(
                workload,
                failing: [
                    DiskFault(.short(written), on: [.write], after: 1),
                    DiskFault(.error(.noSpace), on: [.write], after: 1),
                ]
            )
            #expect(wasMet)
        }
    }
}
