import HoldfastStorage

extension WriteTransaction {
    /// Runs `body` without the rules of unique indexes and references: nothing is checked, and a
    /// deletion takes nothing along.
    ///
    /// For what others have decided already, such as a page of changes from a server.
    package mutating func withoutRules<Result>(
        _ body: (inout WriteTransaction) throws -> Result
    ) rethrows -> Result {
        let before = checksRules
        checksRules = false
        defer { checksRules = before }
        return try body(&self)
    }

    /// The rules, read once a transaction.
    mutating func loadedRules() throws -> Rules {
        if let rules { return rules }
        let loaded = try Rules(state)
        rules = loaded
        return loaded
    }

    /// Checks a record that is about to be written under `key`, in the fields that the write
    /// changes.
    ///
    /// What the stored record has already is not held against the write: it may have come from
    /// elsewhere, and stands in the way of no other field.
    ///
    /// - Throws: ``StoreError`` `.uniqueConflict`.
    mutating func check(_ value: [UInt8], at key: [UInt8], in table: TableName) throws {
        guard checksRules else {
            migration?.touched.insert(table)
            return
        }
        guard let rules = try loadedRules()[table] else { return }
        do {
            for rule in rules.uniques { try check(value, at: key, rule) }
            for rule in rules.references where try breaks(value, at: key, rule) {
                unsettled[key, default: []].insert(rule.reference)
            }
        } catch let error as DocumentError {
            throw key.withRawSpan { StoreError(error, at: $0) }
        }
    }

    private func check(_ value: [UInt8], at key: [UInt8], _ rule: UniqueRule) throws {
        let values = try value.withRawSpan { (document) throws(DocumentError) in
            try rule.values(in: document)
        }
        guard let values, let holder = try rule.holder(of: values, besides: key, in: state) else {
            return
        }
        if try state.value(for: key)?.withRawSpan({ try rule.matches($0, values) }) == true {
            return
        }
        throw rule.conflict(of: key, with: holder)
    }

    private func breaks(_ value: [UInt8], at key: [UInt8], _ rule: ReferenceRule) throws -> Bool {
        try value.withRawSpan { document in
            if try rule.holds(in: document, state) { return false }
            guard let stored = try state.value(for: key) else { return true }
            return try stored.withRawSpan { try !rule.isSame(in: document, as: $0) }
        }
    }

    /// Checks what could not be settled record by record: whether every field that was written
    /// refers to a record that is there.
    ///
    /// - Throws: ``StoreError`` `.missingReference`.
    mutating func settleReferences() throws {
        if unsettled.isEmpty { return }
        let rules = try loadedRules()
        for (key, references) in unsettled.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
        {
            // It may have been deleted since.
            guard let value = try state.value(for: key) else { continue }
            let table = key.withRawSpan { RecordKey.table(of: $0) }
            for rule in rules[table]?.references ?? [] where references.contains(rule.reference) {
                try value.withRawSpan { document in
                    if try rule.holds(in: document, state) { return }
                    throw rule.missing(at: key, try rule.value(in: document))
                }
            }
        }
        unsettled.removeAll()
    }

    /// Deletes the record at `key` and does what the references to it say.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``StoreError`` `.stillReferenced`; nothing was changed.
    mutating func delete(_ key: [UInt8], in table: TableName) throws -> Bool {
        guard checksRules else {
            migration?.touched.insert(table)
            return try erase(key, in: table)
        }
        let rules = try loadedRules()
        guard let referrers = rules[table]?.referrers, !referrers.isEmpty else {
            return try erase(key, in: table)
        }
        guard try key.withRawSpan({ try storage.contains($0) }) else { return false }
        let deletion = try Deletion(of: key, by: rules, in: state)
        try attempt { transaction in
            for key in deletion.keys {
                let table = key.withRawSpan { RecordKey.table(of: $0) }
                _ = try transaction.erase(key, in: table)
            }
            for (key, field) in deletion.nullified { try transaction.nullify(field, of: key) }
        }
        return true
    }

    private mutating func nullify(_ field: String, of key: [UInt8]) throws {
        guard let stored = try state.value(for: key) else { return }
        var object = try state.decode(stored, at: key)
        object[field] = .null
        let table = key.withRawSpan { RecordKey.table(of: $0) }
        _ = try write(Document.encode(object), at: key, in: table)
    }
}
