/// A field to order by, and in which direction.
public struct FieldOrder: Sendable {
    /// Which end comes first.
    public enum Direction: Hashable, Sendable, CaseIterable {
        /// Null first.
        case ascending
        /// Null last.
        case descending
    }

    /// The field's name.
    public let field: String
    /// Which end comes first.
    public let direction: Direction

    /// Orders by `field` in `direction`.
    public init(field: String, direction: Direction) {
        self.field = field
        self.direction = direction
    }
}
