/// Collects the tables of a ``Schema``.
@resultBuilder
public enum SchemaBuilder {
    /// A table.
    public static func buildExpression(_ table: Table) -> [Table] { [table] }

    /// Tables that were made elsewhere.
    public static func buildExpression(_ tables: [Table]) -> [Table] { tables }

    /// What stands one below the other.
    public static func buildBlock(_ parts: [Table]...) -> [Table] { parts.flatMap(\.self) }

    /// What a loop yields.
    public static func buildArray(_ parts: [[Table]]) -> [Table] { parts.flatMap(\.self) }

    /// What stands under a condition.
    public static func buildOptional(_ part: [Table]?) -> [Table] { part ?? [] }

    /// The first of two branches.
    public static func buildEither(first part: [Table]) -> [Table] { part }

    /// The second of two branches.
    public static func buildEither(second part: [Table]) -> [Table] { part }
}
