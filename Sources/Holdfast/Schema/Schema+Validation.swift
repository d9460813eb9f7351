extension Schema {
    /// Why these are no schema; `nil` when they are.
    static func problem(with version: Int, _ tables: [Table]) -> StoreError? {
        if version < 1 {
            return StoreError(.invalidSchema, "A schema's version is 1 or more.")
        }
        var names: Set<TableName> = []
        for table in tables {
            guard names.insert(table.name).inserted else {
                return problem("A schema declares a table once.", table)
            }
            if let problem = problem(with: table) { return problem }
        }
        return nil
    }

    private static func problem(with table: Table) -> StoreError? {
        if let problem = Identifier.problem(with: table.idField, maximumBytes: 255) {
            return self.problem("The name of an id field \(problem).", table)
        }
        if Set(table.indexes).count < table.indexes.count {
            return problem("A table declares an index once.", table)
        }
        var fields: Set<FieldName> = []
        for reference in table.references {
            guard fields.insert(FieldName(reference.field)).inserted else {
                return problem("A field refers to one table.", table, reference.field)
            }
            let isID = UTF8Order.same(reference.field, table.idField)
            if isID, reference.onDelete == .nullify {
                return problem("A record's id cannot become null.", table, reference.field)
            }
        }
        return nil
    }

    private static func problem(
        _ message: String,
        _ table: Table,
        _ field: String? = nil
    ) -> StoreError {
        StoreError(.invalidSchema, message, table: table.name, field: field)
    }
}
