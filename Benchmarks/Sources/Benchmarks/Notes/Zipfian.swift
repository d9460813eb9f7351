import Foundation
import HoldfastTesting

/// Numbers of which few come often, as YCSB draws them.
///
/// The method is that of Gray and others (1994), with a skew of 0.99. The popular numbers are
/// scattered over all.
struct Zipfian {
    private static let skew = 0.99

    private let count: Int
    private let total: Double
    private let eta: Double

    init(count: Int) {
        self.count = count
        var total = 0.0
        for rank in 1...max(count, 2) { total += pow(Double(rank), -Self.skew) }
        let pair = 1 + pow(2, -Self.skew)
        eta = (1 - pow(2 / Double(max(count, 2)), 1 - Self.skew)) / (1 - pair / total)
        self.total = total
    }

    /// The next number, below the count.
    func next(_ random: inout SplitMix64) -> Int {
        let draw = Double(random.next() >> 11) / Double(1 << 53)
        var scattered = SplitMix64(seed: UInt64(rank(draw)))
        return scattered.next(below: count)
    }

    private func rank(_ draw: Double) -> Int {
        if draw * total < 1 { return 0 }
        if draw * total < 1 + pow(0.5, Self.skew) { return 1 }
        let alpha = 1 / (1 - Self.skew)
        return min(Int(Double(count) * pow(eta * draw - eta + 1, alpha)), count - 1)
    }
}
