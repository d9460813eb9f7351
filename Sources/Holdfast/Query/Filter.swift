/// A condition on one field of a record.
public struct Filter: Sendable {
    /// How a field's value is compared; the raw value is what `hold query --where` takes.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equals = "="
        case differs = "!="
        case isLess = "<"
        case isAtMost = "<="
        case isGreater = ">"
        case isAtLeast = ">="
        /// A text holds a text, or an array an element.
        case contains
        /// A text begins with a text.
        case begins
        /// The value is one of an array's elements.
        case isIn = "in"
    }

    /// The field's name.
    public let field: String
    /// How its value is compared.
    public let comparison: Comparison
    /// What it is compared with.
    public let value: JSONValue

    /// The condition that `field` compares to `value` in this way.
    public init(_ field: String, _ comparison: Comparison, _ value: JSONValue) {
        self.field = field
        self.comparison = comparison
        self.value = value
    }
}

extension Filter {
    /// The values that the field may have with `.isIn`.
    var operands: [JSONValue] {
        if case .array(let values) = value { values } else { [] }
    }

    /// Refuses a comparison that cannot mean anything with its value.
    func check() throws {
        switch (comparison, value) {
        case (.isIn, .array), (.begins, .string): return
        case (.isIn, _):
            throw StoreError(
                .invalidQuery,
                "in compares with an array of values, such as [1, 2].",
                field: field
            )
        case (.begins, _):
            throw StoreError(
                .invalidQuery,
                "begins compares with a text, such as \"Br\".",
                field: field
            )
        default: return
        }
    }
}
