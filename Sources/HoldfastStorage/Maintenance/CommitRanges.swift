/// A set of commits' numbers that come mostly in order, as ranges.
struct CommitRanges {
    private(set) var ranges: [ClosedRange<UInt64>] = []

    mutating func insert(_ number: SequenceNumber) {
        let number = number.rawValue
        guard let last = ranges.last, number <= last.upperBound else {
            return append(number)
        }
        guard !contains(number) else { return }
        let index = ranges.firstIndex { $0.lowerBound > number } ?? ranges.count
        ranges.insert(number...number, at: index)
    }

    private mutating func append(_ number: UInt64) {
        if let last = ranges.last, last.upperBound + 1 == number {
            ranges[ranges.count - 1] = last.lowerBound...number
        } else {
            ranges.append(number...number)
        }
    }

    private func contains(_ number: UInt64) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    /// The numbers from 1 through `last` that are neither in the set nor in some other ranges, which
    /// ascend.
    func missing(
        through last: SequenceNumber,
        but others: [Range<SequenceNumber>]
    ) -> [ClosedRange<SequenceNumber>] {
        let others = others.map { $0.lowerBound.rawValue..<$0.upperBound.rawValue }
        let known = (ranges.map { Range($0) } + others).sorted { $0.lowerBound < $1.lowerBound }
        var missing: [ClosedRange<SequenceNumber>] = []
        var next: UInt64 = 1
        for range in known where range.lowerBound <= last.rawValue && !range.isEmpty {
            if range.lowerBound > next {
                missing.append(SequenceNumber(next)...SequenceNumber(range.lowerBound - 1))
            }
            next = max(next, range.upperBound)
        }
        if next <= last.rawValue { missing.append(SequenceNumber(next)...last) }
        return missing
    }
}
