/// A named step of a schema, which changes what an older version stored.
public struct MigrationStep: Sendable {
    /// The work of a step.
    public typealias Body = @Sendable (inout WriteTransaction) throws -> Void

    /// What it is called, here and in the store.
    public let name: String
    /// The version that it starts from.
    public let version: Int
    /// Whether it says the same in another form: then no server is told of what it writes.
    public let isRepresentationOnly: Bool
    let body: Body

    init(
        name: String,
        from version: Int,
        representationOnly: Bool = false,
        _ body: @escaping Body
    ) {
        self.name = name
        self.version = version
        isRepresentationOnly = representationOnly
        self.body = body
    }
}
