import HoldfastStorage
import HoldfastTesting

/// Every crash of three commits: the process killed, or the power lost, before each call.
func everyCrashKeepsEveryPromise() async throws -> CrashExplorer.Tally {
    var explorer = CrashExplorer(.journal())
    try await explorer.explore([.put(1), .put(2, .buffered), .delete(1), .reopen])
    return explorer.tally
}
let tally = try await everyCrashKeepsEveryPromise()
print("many crashes, no broken promise:", tally.recoveries > 50)

/// A workload that a seed decides, on a disk whose third sync fails.
func aFailedSyncLosesNothingThatWasAcknowledged(seed: UInt64) async throws -> Bool {
    var explorer = CrashExplorer(.journal())
    return try await explorer.explore(
        CrashOperation.random(count: 8, seed: seed),
        failing: [DiskFault(.failedSync(.pagesKept), on: [.sync], after: 2)],
        seed: seed
    )
}
print("a sync failed:", try await aFailedSyncLosesNothingThatWasAcknowledged(seed: 7))

/// Damage is named by the next open, or by the first read that meets it.
func aFlippedBitIsNamed() async throws -> DamageProof.Outcome {
    let proof = try await DamageProof(.journal(), [.put(1), .put(2)])
    return try await proof.check { disk in
        try disk.flipBit(8 * 8_200, of: "store/0000000000000001.segment")
    }
}
print("damaged:", try await aFlippedBitIsNamed())
