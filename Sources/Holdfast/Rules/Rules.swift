import HoldfastStorage

/// The unique indexes and references that the writes of a transaction keep.
struct Rules {
    private var tables: [TableName: TableRules] = [:]

    /// Reads the declarations, of which none has a value to be read.
    init(_ state: StoreState) throws {
        var built: Set<String>?
        func engineName(_ index: TableIndex) -> String? {
            let names = built ?? Set(state.storage.indexNames)
            built = names
            let name = index.engineName
            return names.contains(name) ? name : nil
        }
        for index in try state.declaredIndexes(.unique) {
            let rule = UniqueRule(index: index, engineName: engineName(index))
            tables[index.table, default: TableRules()].uniques.append(rule)
        }
        for declared in try state.declaredReferences() {
            let index = TableIndex(declared.reference.index, on: declared.table)
            let rule = ReferenceRule(declared, engineName: engineName(index))
            tables[declared.table, default: TableRules()].references.append(rule)
            tables[rule.target, default: TableRules()].referrers.append(rule)
        }
    }

    /// The rules of a table; `nil` when it has none.
    subscript(table: TableName) -> TableRules? {
        tables.isEmpty ? nil : tables[table]
    }
}

/// The rules of one table.
struct TableRules {
    var uniques: [UniqueRule] = []
    /// What its records refer to.
    var references: [ReferenceRule] = []
    /// What refers to its records.
    var referrers: [ReferenceRule] = []
}
