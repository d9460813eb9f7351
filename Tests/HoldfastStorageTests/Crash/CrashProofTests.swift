import HoldfastStorage
import HoldfastTesting
import Testing

/// Small worlds in full: every workload, every moment, every outcome of a power loss.
@Suite struct CrashProofTests {
    /// The steps that workloads are made of; of the large put only one fits into a segment.
    static let steps: [CrashOperation] = [
        .put(1), .put(1, .buffered), .put(2, length: 400), .put(2, length: 400, .buffered),
        .delete(1), .wait(.milliseconds(20)), .wait(.seconds(1)), .reopen,
    ]

    static let allSteps = steps + [.put(1, .ordered)]

    @Test(arguments: steps)
    func everyCrashOfTwoStepsKeepsWhatWasPromised(first: CrashOperation) async throws {
        var plan = CrashExplorer.Plan()
        plan.limits = CrashLimits(independentSectors: 1)
        plan.goesOn = first == .put(1)
        var explorer = CrashExplorer(.journal(), plan)
        try await explorer.explore([first], from: 0)
        for second in Self.steps {
            try await explorer.explore([first, second], from: 1)
        }
        #expect(explorer.tally.moments > 20)
    }

    @Test(arguments: allSteps)
    func everyCrashOfThreeStepsKeepsWhatWasPromised(first: CrashOperation) async throws {
        var plan = CrashExplorer.Plan()
        plan.limits = CrashLimits(independentSectors: 1)
        plan.goesOn = false
        var explorer = CrashExplorer(.journal(), plan)
        for second in Self.allSteps {
            for third in Self.allSteps {
                try await explorer.explore([first, second, third], from: 2)
            }
        }
        #expect(explorer.tally.moments > 20)
    }

    @Test(arguments: [
        [CrashOperation.put(1)], [.put(1, .buffered)], [.put(1, .buffered), .reopen],
        [.put(1), .wait(.milliseconds(20)), .put(1, .buffered)],
    ])
    func everyCrashOfTwoRecoveriesKeepsWhatWasPromised(
        operations: [CrashOperation]
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.depth = operations.count == 1 ? 2 : 1
        plan.limits = CrashLimits(independentSectors: 1)
        var explorer = CrashExplorer(.journal(), plan)
        try await explorer.explore(operations, from: operations.count - 1)
        #expect(explorer.tally.recoveries > 100)
    }

    /// Killed while it makes the store, and again while it goes on with that: what is then
    /// acknowledged survives a power loss, the directory's own name included.
    @Test func everyCrashOfMakingAStoreLeavesOneThatCanBeMade() async throws {
        var plan = CrashExplorer.Plan()
        plan.depth = 2
        plan.draws = 0
        var explorer = CrashExplorer(.journal(), plan)
        try await explorer.explore([])
        plan.depth = 0
        plan.draws = 8
        explorer = CrashExplorer(.journal(), plan)
        try await explorer.explore([])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func everyCrashOfARandomWorkloadKeepsWhatWasPromised(seed: UInt64) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        plan.goesOn = false
        var explorer = CrashExplorer(.journal(segmentBytes: 9_216), plan)
        let operations = CrashOperation.random(count: 30, seed: seed)
        try await explorer.explore(operations, from: 0, seed: seed)
        #expect(explorer.tally.moments > 60)
    }
}
