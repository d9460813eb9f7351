package import Holdfast

/// A condition as `--where`, `--any` and `--not` take it: `FIELD OP VALUE`.
///
/// A field whose name has spaces or signs stands in quotes, as in JSON. The value is JSON if it
/// parses, else text; what begins as an object, an array or a quoted text has to parse.
package struct FilterText: Sendable {
    private let text: String
    private let option: String

    /// Takes a condition's text, and the name of the option that it was given with.
    package init(_ text: String, option: String = "where") {
        self.text = text
        self.option = option
    }

    /// The condition.
    ///
    /// - Throws: ``UsageError`` when it has no field, no operator or no value, or a value that the
    ///   operator cannot take.
    package func filter() throws(UsageError) -> Filter {
        var rest = text[...].trimmed
        let field = try takeField(&rest)
        let comparison = try takeComparison(&rest)
        let value = try value(rest)
        switch (comparison, value) {
        case (.isIn, .array), (.begins, .string): break
        case (.isIn, _): throw refusal("'in' takes a JSON array, such as [1, 2]")
        case (.begins, _): throw refusal("'begins' takes a text; put it in double quotes")
        default: break
        }
        return Filter(field, comparison, value)
    }

    private func takeField(_ rest: inout Substring) throws(UsageError) -> String {
        if rest.first == "\"" { return try takeQuotedField(&rest) }
        let field = rest.prefix { !$0.isWhitespace && !"=!<>".contains($0) }
        if field.isEmpty { throw refusal("a condition begins with a field") }
        rest = rest[field.endIndex...].trimmed
        return String(field)
    }

    private func takeQuotedField(_ rest: inout Substring) throws(UsageError) -> String {
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex, rest[end] != "\"" {
            if rest[end] == "\\" { rest.formIndex(after: &end) }
            if end < rest.endIndex { rest.formIndex(after: &end) }
        }
        guard end < rest.endIndex,
            case .string(let field)? = try? JSONValue(parsing: String(rest[...end]))
        else { throw refusal("the field's quotes are not closed") }
        rest = rest[rest.index(after: end)...].trimmed
        return field
    }

    private func takeComparison(_ rest: inout Substring) throws(UsageError) -> Filter.Comparison {
        let byLength = Filter.Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        for comparison in byLength where rest.hasPrefix(comparison.rawValue) {
            let behind = rest.dropFirst(comparison.rawValue.count)
            let isWord = comparison.rawValue.allSatisfy(\.isLetter)
            if isWord, let next = behind.first, !next.isWhitespace { continue }
            // `==` would otherwise look for a text that begins with a sign.
            if !isWord, let next = behind.first, "=!<>~".contains(next) { break }
            rest = behind.trimmed
            return comparison
        }
        throw refusal(
            "the operator is one of = != < <= > >= contains begins in;"
                + " a value that begins with a sign stands in double quotes"
        )
    }

    private func value(_ text: Substring) throws(UsageError) -> JSONValue {
        guard let first = text.first else {
            throw refusal("a value is missing; an empty text is \"\"")
        }
        do throws(JSONError) {
            return try JSONValue(parsing: String(text))
        } catch  where error.kind == .numberOutOfRange {
            throw refusal(error.message)
        } catch {
            if "{[\"".contains(first) { throw refusal("the value is no JSON: \(error)") }
            return .string(String(text))
        }
    }

    private func refusal(_ reason: String) -> UsageError {
        UsageError("--\(option) '\(text)' cannot be read: \(reason)")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
