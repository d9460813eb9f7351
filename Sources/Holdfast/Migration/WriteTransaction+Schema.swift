import HoldfastStorage

extension WriteTransaction {
    /// Takes back what the schema's tables no longer declare, so that a step is not held to it.
    mutating func dropObsolete(_ schema: Schema) throws {
        let tables = Set(schema.tables.map(\.name))
        let kept = schema.tables.reduce(into: Set<[UInt8]>()) { keys, table in
            keys.formUnion(table.storedIndexes.map(\.systemKey))
            keys.formUnion(table.storedReferences.map(\.systemKey))
        }
        let declared =
            try state.declaredIndexes().map { ($0.table, $0.systemKey) }
            + state.declaredReferences().map { ($0.table, $0.systemKey) }
        for (table, key) in declared where tables.contains(table) && !kept.contains(key) {
            try removeSystem(key)
        }
        rules = nil
    }

    /// Makes the declarations of the schema's tables exactly the schema's.
    ///
    /// - Throws: ``StoreError`` when records do not keep a rule that is new.
    mutating func declare(_ schema: Schema) throws {
        let difference = try SchemaDifference(from: state, to: schema)
        for table in difference.tables {
            try setTableRecord(TableRecord(idField: table.idField), of: table.name)
        }
        for key in difference.obsolete { try removeSystem(key) }
        for index in difference.newIndexes { try putSystem(JSONObject(), at: index.systemKey) }
        for reference in difference.newReferences {
            try putSystem(JSONObject(), at: reference.systemKey)
        }
        rules = nil
        try verify(difference)
    }

    private func verify(_ difference: SchemaDifference) throws {
        let verification = RuleVerification(state: state)
        let touched = migration?.touched ?? []
        for index in difference.newIndexes
        where index.index.kind == .unique && !touched.contains(index.table) {
            try verification.verify(index)
        }
        for reference in difference.newReferences
        where !reference.isTouched(by: touched) {
            try verification.verify(reference)
        }
    }

    /// Checks every rule of the tables that the step wrote to.
    ///
    /// Records that broke a rule before the step, and that it left so, are passed over: no step can
    /// be written for what a server may have sent.
    ///
    /// - Throws: ``StoreError`` `.uniqueConflict` or `.missingReference`.
    func verifyTouched() throws {
        guard let migration, !migration.touched.isEmpty else { return }
        let touched = migration.touched
        let verification = RuleVerification(state: state, step: migration)
        for index in try state.declaredIndexes(.unique) where touched.contains(index.table) {
            try verification.verify(index)
        }
        for reference in try state.declaredReferences() where reference.isTouched(by: touched) {
            try verification.verify(reference)
        }
    }

    /// Notes what is known of the schema.
    func setStoredSchema(_ stored: StoredSchema) throws {
        try putSystem(stored.object, at: SystemKey.schema)
    }

    /// Whether a table has an index that is declared and not built, or the like, is for the next
    /// open: only the declaration goes.
    func removeSystem(_ key: [UInt8]) throws {
        _ = try StoreError.translate { try key.withRawSpan { try storage.delete($0) } }
    }
}

extension TableReference {
    fileprivate func isTouched(by tables: Set<TableName>) -> Bool {
        tables.contains(table) || tables.contains(reference.target)
    }
}
