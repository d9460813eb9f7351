package import Holdfast

extension JSONValue {
    /// This value with a number added, as a counter counts.
    ///
    /// Nothing and `null` count as zero, and what is no number stays. Integers stay integers as
    /// long as the sum fits one; a sum that no double holds is the greatest that there is.
    package static func counting(_ value: JSONValue?, and step: JSONValue) -> JSONValue? {
        switch (value, step) {
        case (nil, .integer), (nil, .double), (.null, .integer), (.null, .double): step
        case (.integer(let value), .integer(let step)): sum(value, step)
        case (.integer(let value), .double(let step)): sum(Double(value), step)
        case (.double(let value), .integer(let step)): sum(value, Double(step))
        case (.double(let value), .double(let step)): sum(value, step)
        default: value
        }
    }

    /// The step that leads from one value of a counter exactly to another; `nil` where none does.
    package static func step(from value: JSONValue?, to target: JSONValue) -> JSONValue? {
        let step: JSONValue
        switch (value, target) {
        case (nil, .integer), (nil, .double), (.null, .integer), (.null, .double): step = target
        case (.integer(let value), .integer(let target)):
            let (difference, overflows) = target.subtractingReportingOverflow(value)
            guard !overflows else { return nil }
            step = .integer(difference)
        case (.integer(let value), .double(let target)): step = .double(target - Double(value))
        case (.double(let value), .integer(let target)): step = .double(Double(target) - value)
        case (.double(let value), .double(let target)): step = .double(target - value)
        default: return nil
        }
        return counting(value, and: step) == target ? step : nil
    }

    private static func sum(_ value: Int64, _ step: Int64) -> JSONValue {
        let (sum, overflows) = value.addingReportingOverflow(step)
        return overflows ? .double(Double(value) + Double(step)) : .integer(sum)
    }

    private static func sum(_ value: Double, _ step: Double) -> JSONValue {
        let sum = value + step
        if sum.isFinite { return .double(sum) }
        return .double(sum > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude)
    }
}
