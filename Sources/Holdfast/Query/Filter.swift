/// A condition on one field of a record.
public struct Filter: Hashable, Sendable {
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
