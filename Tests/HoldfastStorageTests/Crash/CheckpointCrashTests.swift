import HoldfastStorage
import HoldfastTesting
import Testing

/// C8: every crash around checkpoints, in small worlds.
@Suite struct CheckpointCrashTests {
    static let steps: [CrashOperation] = [
        .put(1), .put(1, .buffered), .put(2, length: 400, .buffered), .delete(1, .buffered),
        .wait(.milliseconds(20)), .reopen,
    ]

    private static func journal(
        segmentBytes: UInt64 = 8_704,
        checkpointBytes: UInt64
    ) -> CrashSubject {
        .journal(segmentBytes: segmentBytes) { configuration in
            configuration.checkpointTailBytes = checkpointBytes
            configuration.checkpointCloseBytes = checkpointBytes
        }
    }

    @Test(arguments: steps)
    func everyCrashOfACheckpointKeepsWhatWasPromised(first: CrashOperation) async throws {
        var plan = CrashExplorer.Plan()
        plan.limits = CrashLimits(independentSectors: 1)
        plan.goesOn = first == .put(1)
        var explorer = CrashExplorer(Self.journal(checkpointBytes: 100_000), plan)
        try await explorer.explore([first, .action("checkpoint")], from: 1)
        for second in Self.steps {
            try await explorer.explore([first, .action("checkpoint"), second], from: 1)
            try await explorer.explore([first, second, .action("checkpoint")], from: 2)
            guard first == .put(1) else { continue }
            try await explorer.explore(
                [first, .action("checkpoint"), second, .action("checkpoint")],
                from: 2
            )
        }
        #expect(explorer.tally.moments > 60)
    }

    @Test(arguments: [
        [CrashOperation.put(1), .action("checkpoint")],
        [.put(1, .buffered), .action("checkpoint"), .put(1, .buffered)],
    ])
    func everyCrashOfTheRecoveryFromACheckpointKeepsWhatWasPromised(
        operations: [CrashOperation]
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.depth = 1
        plan.limits = CrashLimits(independentSectors: 1)
        var explorer = CrashExplorer(Self.journal(checkpointBytes: 100_000), plan)
        try await explorer.explore(operations, from: operations.count - 1)
        #expect(explorer.tally.recoveries > 20)
    }

    /// A checkpoint that is older than what compaction gives up brings nothing back.
    @Test(arguments: CompactionCrashTests.histories)
    func everyCrashOfACompactionBehindACheckpointKeepsWhatWasPromised(
        history: [CrashOperation]
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 2
        plan.goesOn = false
        var explorer = CrashExplorer(Self.journal(checkpointBytes: 100_000), plan)
        for count in [1, 2, history.count] {
            let operations =
                history.prefix(count) + [.action("checkpoint")] + history.dropFirst(count)
                + [.action("compact")]
            try await explorer.explore(Array(operations), from: history.count + 1)
        }
        #expect(explorer.tally.moments > 20)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyCrashOfARandomWorkloadWithCheckpointsKeepsWhatWasPromised(
        seed: UInt64
    ) async throws {
        var plan = CrashExplorer.Plan()
        plan.draws = 1
        plan.goesOn = seed == 1
        var explorer = CrashExplorer(Self.journal(segmentBytes: 9_216, checkpointBytes: 300), plan)
        let operations = CrashOperation.random(count: 20, seed: seed &+ 40)
        try await explorer.explore(operations, from: 0, seed: seed)
        #expect(explorer.tally.moments > 60)
    }
}
