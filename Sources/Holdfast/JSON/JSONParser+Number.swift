extension JSONParser {
    /// The number whose sign or first digit is the next byte.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var decimal = Decimal()
        try integerDigits(into: &decimal)
        let isInteger = try !fraction(into: &decimal)
        if try !exponent(into: &decimal), isInteger {
            return try integer(decimal, isNegative: isNegative, from: start)
        }
        return try double(decimal, isNegative: isNegative, from: start)
    }

    /// The digits read so far: `significand` times ten to the power of `exponent`.
    private struct Decimal {
        var significand: UInt64 = 0
        var exponent = 0
        /// Whether there were more digits than `significand` holds.
        var overflowed = false

        @inline(__always)
        mutating func append(_ digit: UInt8) {
            let (tenfold, first) = significand.multipliedReportingOverflow(by: 10)
            let (sum, second) = tenfold.addingReportingOverflow(UInt64(digit))
            overflowed = overflowed || first || second
            significand = sum
        }
    }

    private mutating func integerDigits(into decimal: inout Decimal) throws(JSONError) {
        let start = position
        guard let first = digits(into: &decimal) else {
            throw unexpected("expected a digit after '-'")
        }
        guard first != 0 || position == start + 1 else {
            throw failure(.syntax, "a number must not begin with a zero", at: start)
        }
    }

    private mutating func fraction(into decimal: inout Decimal) throws(JSONError) -> Bool {
        guard peek() == UInt8(ascii: ".") else { return false }
        position += 1
        let start = position
        guard digits(into: &decimal) != nil else {
            throw unexpected("expected a digit after '.' in a number")
        }
        decimal.exponent -= position - start
        return true
    }

    private mutating func exponent(into decimal: inout Decimal) throws(JSONError) -> Bool {
        guard peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") else { return false }
        position += 1
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative || peek() == UInt8(ascii: "+") { position += 1 }
        var exponent = Decimal()
        guard digits(into: &exponent) != nil else {
            throw unexpected("expected a digit in the exponent of a number")
        }
        let magnitude = exponent.overflowed ? Int.max / 2 : Int(min(exponent.significand, 1 << 32))
        decimal.exponent += isNegative ? -magnitude : magnitude
        return true
    }

    /// Reads digits and returns the first; `nil` where there is none.
    private mutating func digits(into decimal: inout Decimal) -> UInt8? {
        let start = position
        while let byte = peek(), byte &- UInt8(ascii: "0") < 10 {
            decimal.append(byte &- UInt8(ascii: "0"))
            position += 1
        }
        return position > start ? bytes[start] &- UInt8(ascii: "0") : nil
    }

    private func integer(
        _ decimal: Decimal,
        isNegative: Bool,
        from start: Int
    ) throws(JSONError) -> JSONValue {
        if isNegative, decimal.significand == 0, !decimal.overflowed { return .double(-0.0) }
        let limit = UInt64(Int64.max) + (isNegative ? 1 : 0)
        guard !decimal.overflowed, decimal.significand <= limit else {
            throw failure(.numberOutOfRange, "an integer is outside 64 bits", at: start)
        }
        let bits = Int64(truncatingIfNeeded: decimal.significand)
        return .integer(isNegative ? 0 &- bits : bits)
    }

    private func double(
        _ decimal: Decimal,
        isNegative: Bool,
        from start: Int
    ) throws(JSONError) -> JSONValue {
        if let magnitude = exactProduct(decimal) {
            return .double(isNegative ? -magnitude : magnitude)
        }
        let text = bytes[start..<position].text
        guard let value = text.flatMap(Double.init), value.isFinite else {
            throw failure(.numberOutOfRange, "a number is too large for a double", at: start)
        }
        return .double(value)
    }

    /// The value where significand and power of ten are exact doubles, so that the one
    /// multiplication or division rounds correctly (Clinger, 1990).
    private func exactProduct(_ decimal: Decimal) -> Double? {
        guard !decimal.overflowed, decimal.significand <= 1 << 53 else { return nil }
        let power = abs(decimal.exponent)
        guard power < Self.powersOfTen.count else { return nil }
        let significand = Double(decimal.significand)
        return decimal.exponent < 0
            ? significand / Self.powersOfTen[power] : significand * Self.powersOfTen[power]
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
