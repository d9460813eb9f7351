/// A named step of a schema, which changes what an older version stored.
public struct MigrationStep: Sendable {
    /// The work of a step.
    public typealias Body = @Sendable (inout WriteTransaction) throws -> Void

    /// What it is called, here and in the store.
    public let name: String
    /// The version that it starts from.
    public let version: Int
    let body: Body

    init(name: String, from version: Int, _ body: @escaping Body) {
        self.name = name
        self.version = version
        self.body = body
    }
}
