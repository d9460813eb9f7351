/// The indexes and references of a table, as a ``TableBuilder`` collects them.
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
