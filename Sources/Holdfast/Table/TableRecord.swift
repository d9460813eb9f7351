/// What is stored about a table, beside its records.
struct TableRecord: Hashable, Sendable {
    /// The field that holds a record's id.
    var idField: String
    /// Whether any record ever had its id as a number: then the order of the ids' values is not the
    /// order of the keys.
    var hasNumberIDs = false

    init(idField: String) { self.idField = idField }

    /// Reads what ``object`` wrote; fields of a newer version are ignored.
    init(_ object: JSONObject) {
        if case .string(let name)? = object["idField"] {
            idField = name
        } else {
            idField = "id"
        }
        hasNumberIDs = object["hasNumberIDs"] == .bool(true)
    }

    /// Refuses another id field than the one that the table was first filled with.
    func requireIDField(_ field: String, in table: TableName) throws {
        if UTF8Order.same(idField, field) { return }
        throw StoreError(
            .idFieldMismatch,
            "The table has its ids in the field \(idField), since it was first filled;"
                + " use that field, or another table.",
            table: table,
            field: field
        )
    }

    var object: JSONObject {
        ["idField": .string(idField), "hasNumberIDs": .bool(hasNumberIDs)]
    }
}
