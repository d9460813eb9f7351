/// The walk over a command line.
struct ArgumentParser {
    let syntax: CommandSyntax
    private var rest: ArraySlice<String>
    private(set) var positionals: [String] = []
    private(set) var values: [String: [String]] = [:]

    init(syntax: CommandSyntax, arguments: [String]) {
        self.syntax = syntax
        rest = arguments[...]
    }

    mutating func parse() throws(UsageError) {
        while let argument = rest.popFirst() {
            if argument == "--" {
                positionals += rest
                rest = []
            } else if argument == "-h" {
                values["help"] = [""]
            } else if argument.hasPrefix("--") {
                try parseOption(argument.dropFirst(2))
            } else if Self.isPositional(argument) {
                positionals.append(argument)
            } else {
                throw UsageError("unknown option \(argument)")
            }
        }
        if values["help"] == nil { try checkPositionals() }
    }

    private static func isPositional(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return true }
        return argument.dropFirst().first?.isNumber == true
    }

    private mutating func parseOption(_ text: Substring) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = syntax.options.first(where: { $0.name == name }) else {
            throw UsageError("unknown option --\(name)")
        }
        let value = try value(of: option, inline: parts.count > 1 ? String(parts[1]) : nil)
        if values[name] != nil, option.value != nil, !option.repeats {
            throw UsageError("--\(name) is given twice")
        }
        values[name, default: []].append(value)
    }

    private mutating func value(
        of option: CommandSyntax.Option,
        inline: String?
    ) throws(UsageError) -> String {
        guard let placeholder = option.value else {
            if inline != nil { throw UsageError("--\(option.name) takes no value") }
            return ""
        }
        guard let value = inline ?? rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: \(placeholder)")
        }
        return value
    }

    private func checkPositionals() throws(UsageError) {
        let required = syntax.positionals.filter(\.isRequired)
        if positionals.count < required.count {
            throw UsageError("\(required[positionals.count].name) is missing")
        }
        if positionals.count > syntax.positionals.count {
            throw UsageError("'\(positionals[syntax.positionals.count])' is one argument too many")
        }
    }
}
