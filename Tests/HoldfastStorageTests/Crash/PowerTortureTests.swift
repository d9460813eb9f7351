import HoldfastStorage
import HoldfastTesting
import Testing

/// Random lives of stores, each with several crashes.
@Suite struct PowerTortureTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func noRoundLosesWhatWasPromised(seed: UInt64) async throws {
        var tally = PowerTorture.Tally()
        for number in 0..<60 {
            let seed = PowerTorture.seed(ofRound: number, from: seed)
            tally += try await PowerTorture().run(seed: seed)
        }
        #expect(tally.rounds == 60)
        #expect(tally.crashedRecoveries > 10)
        #expect(tally.acknowledged > 100)
    }

    @Test func aRoundsSeedMakesTheSameRoundAgain() async throws {
        let seed = PowerTorture.seed(ofRound: 17, from: 5)
        #expect(PowerTorture.seed(ofRound: 0, from: seed) == seed)
        let first = try await PowerTorture().run(seed: seed)
        #expect(try await PowerTorture().run(seed: seed) == first)
    }

    /// Seeds of rounds that once found something.
    ///
    /// - 258919446790430060: the one intact copy of a header was rewritten before the torn one.
    @Test(arguments: [258_919_446_790_430_060] as [UInt64])
    func whatWasFoundOnceStaysAway(seed: UInt64) async throws {
        try await PowerTorture().run(seed: seed)
    }
}
