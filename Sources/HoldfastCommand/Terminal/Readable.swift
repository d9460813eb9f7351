extension Int {
    /// The number with its digits in groups of three.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// The number with a noun, whose plural ends in `s` or is given.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(grouped) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// The number as an amount of bytes, in the unit that leaves one to four digits.
    package var asBytes: String {
        var amount = Double(self)
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if amount < 1_024 { return unit == "B" ? "\(self) B" : "\(amount.rounded1) \(unit)" }
            amount /= 1_024
        }
        return "\(amount.rounded1) TiB"
    }
}

extension Double {
    /// The number with one digit behind the point.
    package var rounded1: String {
        guard isFinite, magnitude < 1e15 else { return "\(self)" }
        let tenths = Int((self * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension Duration {
    /// The duration in milliseconds, with its unit.
    package var milliseconds: String { "\((seconds * 1_000).rounded1) ms" }

    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
