/// Numbers added up: integers exactly, doubles with what rounding lost kept beside (Neumaier).
struct NumberTotal: Sendable {
    private(set) var count = 0
    private var integers: Int128 = 0
    private var doubles: Double?
    private var lost = 0.0

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
        let before = doubles ?? 0
        let after = before + double
        lost +=
            before.magnitude >= double.magnitude
            ? (before - after) + double : (double - after) + before
        doubles = after
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
        copy.add(Double(integers))
        return (copy.doubles ?? 0) + copy.lost
    }
}
