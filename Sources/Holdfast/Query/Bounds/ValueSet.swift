/// A set of values, as the intervals between places in their order: ascending, apart, none empty.
struct ValueSet: Sendable {
    /// The values between two places.
    struct Interval: Sendable {
        var lower: ValueCut
        var upper: ValueCut

        /// The value, where the interval holds one alone.
        var point: JSONValue? {
            guard case .before(let first) = lower, case .after(let last) = upper,
                first.order(to: last) == .same
            else { return nil }
            return first
        }

        var isEmpty: Bool { lower.order(to: upper) != .before }
    }

    private(set) var intervals: [Interval]

    /// The values of some intervals.
    init(_ intervals: [Interval]) {
        let sorted = intervals.filter { !$0.isEmpty }
            .sorted { $0.lower.order(to: $1.lower) == .before }
        self.intervals = []
        for interval in sorted {
            guard let last = self.intervals.last, interval.lower.order(to: last.upper) != .after
            else {
                self.intervals.append(interval)
                continue
            }
            guard last.upper.order(to: interval.upper) == .before else { continue }
            self.intervals[self.intervals.count - 1].upper = interval.upper
        }
    }

    private init(from lower: ValueCut = .start, to upper: ValueCut = .end) {
        self.init([Interval(lower: lower, upper: upper)])
    }

    /// The values that pass a condition; `nil` where they are not a matter of order.
    init?(of condition: FilterCondition) {
        let value = condition.value
        switch condition.comparison {
        case .equals: self.init(from: .before(value), to: .after(value))
        case .differs: self = ValueSet(from: .before(value), to: .after(value)).complement
        case .isLess: self.init(to: .before(value))
        case .isAtMost: self.init(to: .after(value))
        case .isGreater: self.init(from: .after(value))
        case .isAtLeast: self.init(from: .before(value))
        case .isIn:
            self.init(condition.operands.map { Interval(lower: .before($0), upper: .after($0)) })
        case .begins:
            guard case .string(let text) = value else { return nil }
            self.init(from: .before(value), to: .afterTexts(beginning: text))
        case .contains: return nil
        }
    }
}

extension ValueSet {
    var isEmpty: Bool { intervals.isEmpty }

    var isEverything: Bool { complement.isEmpty }

    /// The value, where the set holds one alone.
    var point: JSONValue? { intervals.count == 1 ? intervals[0].point : nil }

    /// The one interval from the first value to the last.
    var hull: Interval {
        Interval(lower: intervals.first?.lower ?? .end, upper: intervals.last?.upper ?? .end)
    }

    /// The values that are not in the set.
    var complement: ValueSet {
        var lower = ValueCut.start
        var gaps: [Interval] = []
        for interval in intervals {
            gaps.append(Interval(lower: lower, upper: interval.lower))
            lower = interval.upper
        }
        gaps.append(Interval(lower: lower, upper: .end))
        return ValueSet(gaps)
    }

    func union(_ other: ValueSet) -> ValueSet { ValueSet(intervals + other.intervals) }

    /// - Complexity: O(n + m).
    func intersection(_ other: ValueSet) -> ValueSet {
        var common: [Interval] = []
        var (first, second) = (0, 0)
        while first < intervals.count, second < other.intervals.count {
            let (left, right) = (intervals[first], other.intervals[second])
            let lower = left.lower.order(to: right.lower) == .before ? right.lower : left.lower
            let leftEndsFirst = left.upper.order(to: right.upper) == .before
            common.append(Interval(lower: lower, upper: leftEndsFirst ? left.upper : right.upper))
            if leftEndsFirst { first += 1 } else { second += 1 }
        }
        return ValueSet(common)
    }
}
