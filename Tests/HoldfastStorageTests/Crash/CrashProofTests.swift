import HoldfastStorage
import HoldfastTesting
import Testing

/// Small worlds in full: every workload, every moment, every outcome.
@Suite struct CrashProofTests {
    /// The steps that workloads are made of; with segments of 512 bytes of frames, the large put
    /// does not fit behind another one.
    static let steps: [CrashOperation] = [
        .put(1), .put(1, .buffered), .put(2, length: 400), .put(2, length: 400, .buffered),
        .delete(1), .delete(1, .buffered), .wait(.milliseconds(20)), .wait(.seconds(1)), .reopen,
    ]

    @Test(arguments: steps)
    func everyCrashOfUpToThreeStepsKeepsWhatWasPromised(first: CrashOperation) async throws {
        var explorer = CrashExplorer(.journal())
        try await explorer.explore([first], from: 0)
        for second in Self.steps {
            try await explorer.explore([first, second], from: 1)
            for third in Self.steps {
                try await explorer.explore([first, second, third], from: 2)
            }
        }
        print("TALLY", first, explorer.tally)
    }
}
