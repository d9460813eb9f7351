import Holdfast

/// What a store holds: its records, and what is declared of them.
struct MigrationState: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        let table: TableName
        let id: RecordID
    }

    struct Declarations: Hashable, Sendable {
        let idField: String
        let indexes: Set<Index>
        let references: Set<Reference>
    }

    var version: Int?
    var tables: [TableName: Declarations] = [:]
    var records: [Key: JSONObject] = [:]

    /// What a store holds; of declarations those of the schema's tables alone.
    ///
    /// Which other tables there are without records depends on the way.
    init(of store: Store) throws {
        self = try store.read { try MigrationState($0) }
        tables = tables.filter { store.schema?[$0.key] != nil }
    }

    private init(_ transaction: borrowing ReadTransaction) throws {
        version = try transaction.schemaVersion()
        for table in try transaction.tables() {
            tables[table.name] = Declarations(
                idField: table.idField,
                indexes: Set(table.indexes),
                references: Set(table.references)
            )
            try transaction.forEach(Query(table.name)) { id, record in
                records[Key(table: table.name, id: id)] = record
                return true
            }
        }
    }

    /// The records after a commit.
    func applying(_ commit: StoreCommit) -> MigrationState {
        var state = self
        for change in commit.changes {
            state.records[Key(table: change.table, id: change.id)] = change.record
        }
        return state
    }

    /// What is different in another state, the first in the order of tables and ids.
    func difference(to other: MigrationState, _ what: String) -> MigrationViolation? {
        if let violation = recordDifference(to: other, what) { return violation }
        if version != other.version {
            return MigrationViolation(
                "\(what): the store's data is of version \(Self.name(other.version)) and not of"
                    + " \(Self.name(version))."
            )
        }
        for table in Set(tables.keys).union(other.tables.keys).sorted()
        where tables[table] != other.tables[table] {
            return MigrationViolation(
                "\(what): id field, indexes or references differ.",
                table: table
            )
        }
        return nil
    }

    /// What is different in the records of another state.
    func recordDifference(to other: MigrationState, _ what: String) -> MigrationViolation? {
        let keys = Set(records.keys).union(other.records.keys)
        let different = keys.filter { records[$0] != other.records[$0] }.min()
        guard let different else { return nil }
        let finding =
            switch (records[different], other.records[different]) {
            case (_?, nil): "the record is missing"
            case (nil, _?): "there is a record that should not be there"
            case (let first?, let second?):
                "the record differs in " + Self.fields(of: first, unlike: second)
            default: "the record differs"
            }
        return MigrationViolation("\(what): \(finding).", table: different.table, id: different.id)
    }

    private static func fields(of first: JSONObject, unlike second: JSONObject) -> String {
        let names = first.map(\.name) + second.map(\.name).filter { first[$0] == nil }
        return names.filter { first[$0] != second[$0] }.joined(separator: ", ")
    }

    private static func name(_ version: Int?) -> String { version.map(String.init) ?? "none" }
}

extension MigrationState.Key: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.table, left.id) < (right.table, right.id)
    }
}
