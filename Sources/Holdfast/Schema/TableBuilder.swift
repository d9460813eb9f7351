/// Collects the indexes and references of a ``Table``.
@resultBuilder
public enum TableBuilder {
    /// An index.
    public static func buildExpression(_ index: Index) -> TableContents { TableContents(index) }

    /// A reference.
    public static func buildExpression(_ reference: Reference) -> TableContents {
        TableContents(reference)
    }

    /// What stands one below the other.
    public static func buildBlock(_ parts: TableContents...) -> TableContents {
        TableContents(parts)
    }

    /// What a loop yields.
    public static func buildArray(_ parts: [TableContents]) -> TableContents {
        TableContents(parts)
    }

    /// What stands under a condition.
    public static func buildOptional(_ part: TableContents?) -> TableContents {
        part ?? TableContents()
    }

    /// The first of two branches.
    public static func buildEither(first part: TableContents) -> TableContents { part }

    /// The second of two branches.
    public static func buildEither(second part: TableContents) -> TableContents { part }
}
