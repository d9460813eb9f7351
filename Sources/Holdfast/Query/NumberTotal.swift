/// Numbers added up exactly, so that their order does not matter.
struct NumberTotal: Sendable {
    private(set) var count = 0
    private var integers: Int128 = 0
    /// Doubles whose exact sum is that of all doubles, none with a digit where another has one, the
    /// least first (Shewchuk); `nil` before the first.
    private var doubles: [Double]?

    /// Adds a value when it is a number.
    mutating func add(_ value: JSONValue) {
        switch value {
        case .integer(let integer):
            integers += Int128(integer)
            count += 1
        case .double(let double):
            add(double)
            count += 1
        default: return
        }
    }

    private mutating func add(_ double: Double) {
        var (parts, sum, kept) = (doubles ?? [], double, 0)
        doubles = nil
        for position in parts.indices {
            let lost: Double
            (sum, lost) = Self.sum(sum, parts[position])
            if lost == 0 { continue }
            parts[kept] = lost
            kept += 1
        }
        parts.removeSubrange(kept...)
        parts.append(sum)
        // Beyond what a double holds there is nothing to keep apart.
        doubles = sum.isFinite ? parts : [sum]
    }

    /// The rounded sum, and what rounding lost of it.
    private static func sum(_ first: Double, _ second: Double) -> (Double, lost: Double) {
        let sum = first + second
        return first.magnitude >= second.magnitude
            ? (sum, second - (sum - first)) : (sum, first - (sum - second))
    }

    /// The sum; `nil` when it does not fit an integer, or a double where there is one.
    var sum: JSONValue? {
        guard doubles != nil else { return Int64(exactly: integers).map { .integer($0) } }
        return whole.isFinite ? .double(whole) : nil
    }

    /// The mean; `nil` when there is none, or it does not fit a double.
    var average: Double? {
        guard count > 0, whole.isFinite else { return nil }
        return whole / Double(count)
    }

    private var whole: Double {
        var copy = self
        let rounded = Double(integers)
        copy.add(rounded)
        if let whole = Int128(exactly: rounded) { copy.add(Double(integers - whole)) }
        return Self.sum(of: copy.doubles ?? [])
    }

    /// The sum of such doubles, rounded once.
    private static func sum(of parts: [Double]) -> Double {
        var (sum, lost) = (0.0, 0.0)
        var rest = parts[...]
        while lost == 0, let part = rest.popLast() { (sum, lost) = Self.sum(sum, part) }
        // Half a digit was lost: what is left decides in which direction to round.
        if let next = rest.last, next.sign == lost.sign {
            let corrected = sum + 2 * lost
            if corrected - sum == 2 * lost { return corrected }
        }
        return sum
    }
}
