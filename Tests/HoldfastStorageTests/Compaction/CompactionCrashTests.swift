import HoldfastStorage
import HoldfastTesting
import Testing

/// Crashes and failures at every call of a compaction.
@Suite struct CompactionCrashTests {
    private static let compact = CrashOperation.action("compact")

    /// Histories of few keys over several segments: of the large values only one fits into each.
    static let histories: [[CrashOperation]] = [
        [.put(1), .put(2, length: 400), .put(1), .put(2, length: 400)],
        [.put(1), .put(2, length: 400), .delete(1), .put(3, length: 400)],
        [.put(1), .put(2, length: 400), .delete(1), .delete(2), .put(3, length: 400)],
        [.put(1), .put(2, length: 400), .delete(1), .put(3, length: 400), .put(1, .buffered)],
        [.put(1), .put(2, length: 400), .put(1), .put(3, length: 400), .delete(1), .delete(2)],
        [.put(1), .put(2, length: 400), .delete(1), .put(2, length: 400), .put(1), .delete(2)],
        [.put(1), .put(9, length: 300), .put(2, length: 400), .delete(1), .reopen, .delete(2)],
        [
            .put(1), .put(9, length: 300), .put(2, length: 400), .put(1), .delete(2),
            .wait(.seconds(1)),
        ],
    ]

    @Test(arguments: histories)
    func everyCrashOfACompactionKeepsWhatWasPromised(history: [CrashOperation]) async throws {
        var plan = CrashExplorer.Plan()
        plan.limits = CrashLimits(independentSectors: 1)
        var explorer = CrashExplorer(.journal(), plan)
        try await explorer.explore(history + [Self.compact], from: history.count)
        #expect(explorer.tally.moments > 5)
    }

    /// A compaction, more of the same, and another one: tombstones move, and go.
    @Test(arguments: histories)
    func everyCrashOfASecondCompactionKeepsWhatWasPromised(
        history: [CrashOperation]
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 2
        plan.goesOn = false
        var explorer = CrashExplorer(.journal(), plan)
        let operations = history + [Self.compact] + history.reversed() + [Self.compact]
        try await explorer.explore(operations, from: history.count + 1)
        #expect(explorer.tally.moments > 10)
    }

    @Test(arguments: [0, 3, 5])
    func everyCrashOfTheRecoveryFromOneKeepsWhatWasPromised(number: Int) async throws {
        var plan = CrashExplorer.Plan()
        plan.depth = 1
        plan.draws = 1
        var explorer = CrashExplorer(.journal(), plan)
        let history = Self.histories[number]
        try await explorer.explore(history + [Self.compact], from: history.count)
        #expect(explorer.tally.recoveries > 100)
    }

    private func checkEveryNumber(_ faults: (Int) -> [DiskFault]) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        var explorer = CrashExplorer(.journal(), plan)
        let operations =
            Self.histories[4] + [Self.compact, .put(2, length: 400), .delete(3), Self.compact]
        var number = 0
        while try await explorer.explore(operations, failing: faults(number)) { number += 1 }
        #expect(number > 20)
    }

    @Test(arguments: [SystemErrorNumber.inputOutput, .noSpace], [1, nil])
    func anyCallOfACompactionMayFail(errno: SystemErrorNumber, times: Int?) async throws {
        try await checkEveryNumber { [DiskFault(.error(errno), after: $0, times: times)] }
    }

    @Test(arguments: FailedSync.allCases)
    func anySyncOfACompactionMayFail(model: FailedSync) async throws {
        try await checkEveryNumber { [DiskFault(.failedSync(model), on: [.sync], after: $0)] }
    }
}
