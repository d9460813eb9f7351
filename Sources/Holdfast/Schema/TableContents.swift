/// The indexes and references of a table on their way through a ``TableBuilder``.
///
/// It is public for the builder alone, and there is nothing to do with it: write an ``Index`` or a
/// ``Reference`` between the braces of a ``Table``.
public struct TableContents: Sendable {
    var indexes: [Index] = []
    var references: [Reference] = []

    /// Neither an index nor a reference.
    public init() {}

    init(_ index: Index) { indexes = [index] }

    init(_ reference: Reference) { references = [reference] }

    init(_ parts: [TableContents]) {
        indexes = parts.flatMap(\.indexes)
        references = parts.flatMap(\.references)
    }
}
