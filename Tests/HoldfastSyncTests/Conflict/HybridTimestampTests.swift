import HoldfastSync
import HoldfastTesting
import Testing

@Suite struct HybridTimestampTests {
    @Test func aClockThatStandsOrGoesBackStillMovesOn() {
        var time = HybridTimestamp(milliseconds: 1_000, node: "a")
        for clock in [1_000, 999, 0, -5, 1_001, 1_001] as [Int64] {
            let next = time.next(at: clock, node: "b")
            #expect(next > time)
            #expect(next.text > time.text)
            time = next
        }
        #expect(time.milliseconds == 1_001)
        let full = HybridTimestamp(milliseconds: 5, count: .max, node: "a")
        #expect(full.next(at: 5, node: "a") == HybridTimestamp(milliseconds: 6, node: "a"))
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func theOrderOfTextsIsTheOrderOfTimes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let times = (0..<50).map { _ in
            HybridTimestamp(
                milliseconds: Int64(random.next(below: 3)) << random.next(below: 47),
                count: UInt16(random.next(below: 3)),
                node: ["", "a", "b"][random.next(below: 3)]
            )
        }
        for (left, right) in zip(times, times.dropFirst()) {
            #expect((left < right) == (left.text < right.text), "seed \(seed)")
            #expect(HybridTimestamp(left.text) == left)
        }
    }

    @Test(arguments: [
        "", "-", "0000000000000000", "00000000000G0000-a", "00000000000A0000-a",
        "+00000000000000-a",
    ])
    func otherTextsAreNoTimes(text: String) {
        #expect(HybridTimestamp(text) == nil)
    }
}
