package import Holdfast

/// What the schema says of tables that are synced.
package struct SyncedTables: Sendable {
    /// The schema's version; 0 without one.
    let version: Int
    /// The schema's form; 0 without one.
    let form: Int
    /// Its steps lead what comes in an older form to this one.
    let schema: Schema?
    private var rules: [TableName: SyncRules] = [:]
    private var parents: [TableName: [Reference]] = [:]
    /// The tables that refer to a table, with the fields that do.
    private var children: [TableName: [(table: TableName, field: String)]] = [:]
    private static let otherwise = SyncRules()

    package init(_ schema: Schema?) {
        version = schema?.version ?? 0
        form = schema?.form ?? 0
        self.schema = schema
        for table in schema?.tables ?? [] {
            guard let declared = table.syncRules else { continue }
            rules[table.name] = declared
            parents[table.name] = table.references
            for reference in table.references {
                children[reference.target, default: []].append((table.name, reference.field))
            }
        }
    }

    /// What is synced in a store: what its schema says, or what it is linked with.
    package init(_ store: Store) throws {
        self.init(store.schema)
        guard let recorder = store.recorder as? OutboxRecorder else { return }
        for table in try store.read({ try $0.tables() }) where recorder.records(table.name) {
            if rules[table.name] != nil { continue }
            var declared = SyncRules()
            declared.idField = table.idField
            rules[table.name] = declared
        }
    }

    /// The names of the tables that are synced.
    var names: some Collection<TableName> { rules.keys }

    /// The rules of a table; the default ones of a table that this version of the app does not know.
    subscript(table: TableName) -> SyncRules { rules[table] ?? Self.otherwise }

    /// The records that a record refers to.
    func parents(of object: JSONObject, in table: TableName) -> [RecordReference] {
        (parents[table] ?? []).compactMap { reference in
            let id: RecordID? =
                switch object[reference.field] {
                case .string(let text)?: try? RecordID(text)
                case .integer(let number)?: RecordID(number)
                default: nil
                }
            return id.map { RecordReference(reference.target, $0) }
        }
    }

    /// How many tables refer to a table, one through the other, at most: 0 where none does.
    ///
    /// Tables that refer to each other in a circle count each once.
    func depth(of table: TableName) -> Int { depth(of: table, []) }

    private func depth(of table: TableName, _ path: Set<TableName>) -> Int {
        let path = path.union([table])
        let depths = (children[table] ?? []).filter { !path.contains($0.table) }
            .map { depth(of: $0.table, path) + 1 }
        return depths.max() ?? 0
    }
}
