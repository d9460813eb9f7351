/// What an app declares of its data: tables with their indexes and references, a version, and the
/// steps that lead to it from earlier ones.
///
/// ```swift
/// let schema = Schema(version: 3) {
///     Table(Note.self) {
///         Index("updatedAt")
///         Index("slug", unique: true)
///         Index(words: "title", "body")
///         Reference("folder", to: Folder.self, onDelete: .cascade)
///     }
///     Table("plain", idField: "code")
/// }
/// .migrate("split name", from: 2) { transaction in
///     try transaction.renameField("name", to: "lastName", in: "people")
/// }
/// let store = try await Store.open(at: "notes.holdfast", schema: schema)
/// ```
///
/// A store that is opened with a schema has, for the tables of the schema, exactly the declared
/// indexes and references; other tables, and fields that nothing declares, stay as they are. A
/// field, a table or an index is added without a step and without another version. Everything else
/// that changes stored records is a step, and raises the version.
///
/// Steps run in the order of the versions that they start from, and in the order of their
/// declaration where that is the same. Never remove one: a store may be as old as the first.
public struct Schema: Sendable {
    /// The version: 1 or more.
    public let version: Int
    /// The tables, in the order of their declaration.
    public private(set) var tables: [Table]
    /// The steps, in the order in which they run.
    public private(set) var steps: [MigrationStep] = []

    /// A schema that stands in the program.
    ///
    /// - Precondition: The version is at least 1, no table is declared twice, no index of a table
    ///   and no field of a reference either, and id fields are valid names.
    public init(version: Int, @SchemaBuilder _ tables: () -> [Table]) {
        self.init(checked: version, tables())
        let problem = Self.problem(with: version, self.tables)
        precondition(problem == nil, problem?.description ?? "")
    }

    /// A schema whose tables do not stand in the program.
    ///
    /// - Throws: ``StoreError`` `.invalidSchema` where ``init(version:_:)`` would stop the program.
    public init(version: Int, tables: [Table]) throws {
        if let problem = Self.problem(with: version, tables) { throw problem }
        self.init(checked: version, tables)
    }

    private init(checked version: Int, _ tables: [Table]) {
        self.version = version
        self.tables = tables
    }

    /// This schema with one more step.
    ///
    /// The step runs when a store of `version` or older is opened, in one transaction together with
    /// the note that it was run. It works on JSON objects, since the types of that time may be
    /// gone. Inside, the rules of unique indexes and references are not enforced write by write and
    /// deletions take nothing along: all rules are checked when it ends. Queries visit tables
    /// without indexes.
    ///
    /// A store that has records and was never opened with a schema counts as version 0. A new store
    /// is made at the newest version, and no step runs; so is one without a record, whatever was
    /// declared in it.
    ///
    /// - Parameters:
    ///   - name: What it does, unique in the schema: it is stored, and errors name it.
    ///   - version: The version that it starts from; it leads to the next one.
    ///   - representationOnly: Whether the records say the same as before in another form, and the
    ///     server does that to its own: then what the step writes to synced tables is not sent, and
    ///     ``WriteTransaction/transform(_:_:)`` changes what is kept of the server's records, what
    ///     waits to be sent, and what older versions of the app send later, in the same way. Then
    ///     it works on each record alone. Otherwise it is sent as any other edit.
    ///   - body: The work, on the cooperative pool. It may run again after a crash, always on the
    ///     same state: it should do nothing outside of the transaction.
    /// - Returns: The schema with the step.
    /// - Precondition: No other step has the name, the name is not empty, and `version` is at least
    ///   0 and below the schema's.
    public func migrate(
        _ name: String,
        from version: Int,
        representationOnly: Bool = false,
        _ body: @escaping MigrationStep.Body
    ) -> Schema {
        precondition(!name.isEmpty, "a step has a name")
        precondition(
            !steps.contains { UTF8Order.same($0.name, name) },
            "two steps are called \(name)"
        )
        precondition(
            version >= 0 && version < self.version,
            "the step \(name) from version \(version) leads beyond version \(self.version)"
        )
        var schema = self
        let place = steps.firstIndex { $0.version > version } ?? steps.endIndex
        let step = MigrationStep(
            name: name,
            from: version,
            representationOnly: representationOnly,
            body
        )
        schema.steps.insert(step, at: place)
        return schema
    }

    /// This schema with its tables changed in what does not belong to their declarations.
    package func changingTables(_ change: (inout Table) -> Void) -> Schema {
        var schema = self
        for place in schema.tables.indices { change(&schema.tables[place]) }
        return schema
    }

    /// The declaration of a table.
    public subscript(table: TableName) -> Table? { tables.first { $0.name == table } }
}
