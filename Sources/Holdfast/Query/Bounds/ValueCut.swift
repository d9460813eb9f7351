/// A place between values in their order.
enum ValueCut: Sendable {
    case before(JSONValue)
    /// Behind a value and every other that is the same in the order.
    case after(JSONValue)
    /// Behind every text that begins with this one.
    case afterTexts(beginning: String)
    /// Behind every value.
    case end

    /// Before every value: null is the first.
    static let start = ValueCut.before(.null)

    /// Where this place stands to another.
    func order(to other: ValueCut) -> ValueOrder {
        switch (self, other) {
        case (.end, .end): .same
        case (.end, _): .after
        case (_, .end): .before
        case (.afterTexts(let first), .afterTexts(let second)): Self.order(first, second)
        case (.afterTexts(let prefix), .before(let value)),
            (.afterTexts(let prefix), .after(let value)):
            Self.order(behind: prefix, value)
        case (.before(let value), .afterTexts(let prefix)),
            (.after(let value), .afterTexts(let prefix)):
            Self.order(behind: prefix, value).reversed
        case (.before(let first), .before(let second)), (.after(let first), .after(let second)):
            first.order(to: second)
        case (.before(let first), .after(let second)):
            first.order(to: second) == .after ? .after : .before
        case (.after(let first), .before(let second)):
            first.order(to: second) == .before ? .before : .after
        }
    }

    /// Texts that begin with both end where those of the longer beginning do, or later.
    private static func order(_ first: String, _ second: String) -> ValueOrder {
        if UTF8Order.same(first, second) { return .same }
        if first.utf8.starts(with: second.utf8) { return .before }
        if second.utf8.starts(with: first.utf8) { return .after }
        return UTF8Order.order(first, second)
    }

    private static func order(behind prefix: String, _ value: JSONValue) -> ValueOrder {
        if case .string(let text) = value, text.utf8.starts(with: prefix.utf8) { return .after }
        return JSONValue.string(prefix).order(to: value)
    }
}
