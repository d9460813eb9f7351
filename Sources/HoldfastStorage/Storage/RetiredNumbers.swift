/// The numbers of the segments that compaction has given up: they count for nothing, on disk or
/// not.
struct RetiredNumbers: Hashable, Sendable {
    /// Ascending, and none next to another.
    private(set) var ranges: [ClosedRange<UInt32>] = []

    init() {}

    /// - Parameter ranges: Ascending, and none next to another.
    init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    func contains(_ segment: UInt32) -> Bool { range(holding: segment) != nil }

    func range(holding segment: UInt32) -> ClosedRange<UInt32>? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < segment { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(segment) ? ranges[low] : nil
    }

    /// The least range that holds the segments of another that are not given up.
    func presentPart(of range: ClosedRange<UInt32>) -> ClosedRange<UInt32>? {
        var (low, high) = (range.lowerBound, range.upperBound)
        if let gone = self.range(holding: low) {
            guard gone.upperBound < high else { return nil }
            low = gone.upperBound + 1
        }
        if let gone = self.range(holding: high) {
            guard gone.lowerBound > low else { return nil }
            high = gone.lowerBound - 1
        }
        return low...high
    }

    /// Whether a tombstone that stands in `segment` still hides something, when `leaving` goes too.
    ///
    /// What stands in its own segment goes with it.
    func isNeeded(
        _ hidden: ClosedRange<UInt32>,
        by segment: UInt32,
        leaving: Set<UInt32> = []
    ) -> Bool {
        guard var rest = presentPart(of: hidden) else { return false }
        while rest.lowerBound == segment || leaving.contains(rest.lowerBound) {
            guard rest.lowerBound < rest.upperBound,
                let part = presentPart(of: rest.lowerBound + 1...rest.upperBound)
            else { return false }
            rest = part
        }
        return true
    }
}
