/// A command line that fits its ``CommandSyntax``.
package struct ParsedArguments: Sendable {
    private let positionals: [String]
    private let values: [String: [String]]

    /// Takes the arguments behind a subcommand's name apart.
    ///
    /// `--name value` and `--name=value` are the same, `--` ends the options, and `-` is a
    /// positional, as is a negative number.
    ///
    /// - Throws: ``UsageError`` for an option that is unknown, repeated or lacks its value, and for
    ///   too many or too few positionals; none of the latter when `--help` is there.
    package init(_ arguments: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var parser = ArgumentParser(syntax: syntax, arguments: arguments)
        try parser.parse()
        positionals = parser.positionals
        values = parser.values
    }

    /// The positional at a place that the syntax requires or that is known to be there.
    package func positional(_ index: Int) -> String {
        optionalPositional(index) ?? ""
    }

    /// The positional at a place, or `nil` when it was left out.
    package func optionalPositional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }

    /// Whether an option is there.
    package func has(_ option: String) -> Bool { values[option] != nil }

    /// An option's value.
    package func value(_ option: String) -> String? { values[option]?.last }

    /// All values of an option that repeats, as they came.
    package func all(_ option: String) -> [String] { values[option] ?? [] }

    /// An option's value as a number.
    package func number<Number: FixedWidthInteger>(
        _ option: String,
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(option) takes a whole number \(bounds), not '\(text)'")
        }
        return number
    }

    /// An option's value as one of a few words.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String,
        of type: Choice.Type
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let text = value(option) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = type.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--\(option) takes one of \(words), not '\(text)'")
        }
        return choice
    }
}
