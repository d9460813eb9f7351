import HoldfastStorage

extension WriteTransaction {
    /// Visits every record of a table in the order of the ids and stores those that `body` changed.
    ///
    /// The ids are those of the beginning: a record that `body` adds is not visited. Each record is
    /// read when its turn comes: one that `body` edited before is visited as edited, and one that
    /// it deleted is passed over.
    ///
    /// A record that `body` changed is stored whole, in place of what `body` itself wrote under the
    /// same id meanwhile; one that it left as it was is not stored, so that such a write stays. A
    /// record that `body` deletes while it is visited stays deleted, changed or not.
    ///
    /// ```swift
    /// try transaction.transform("people") { person, _ in
    ///     let (first, last) = (person["first"]?.stringValue, person["last"]?.stringValue)
    ///     person["name"] = .string([first, last].compactMap(\.self).joined(separator: " "))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - body: Changes a record; it gets the transaction for what else there is to write.
    /// - Returns: How many records were changed.
    /// - Throws: What `body` throws, or ``StoreError``; the transaction is as it was before the
    ///   call.
    /// - Complexity: O(n log n); the changed records are in memory until the commit, as all writes
    ///   are.
    @discardableResult
    public mutating func transform(
        _ table: TableName,
        _ body: (_ record: inout JSONObject, _ transaction: inout WriteTransaction) throws -> Void
    ) throws -> Int {
        if arriving != nil { return try transformArriving(table, body) }
        return try attempt { transaction in
            var changed = 0
            let storage = transaction.storage
            try storage.scanKeys(RecordKey.range(of: table), .forward) { key in
                if try transaction.isStepped(key, in: table) { return true }
                guard let value = try storage.value(for: key) else { return true }
                let stored = try transaction.state.decode(value, at: key)
                var record = stored
                try body(&record, &transaction)
                transaction.migration?.countRecord()
                guard try record != stored && storage.contains(key) else { return true }
                try transaction.put(record, in: table, id: RecordKey.id(of: key))
                changed += 1
                return true
            }
            if let recorder = transaction.migration?.recorder, recorder.records(table),
                let form = transaction.migration?.form
            {
                try recorder.transform(table, to: form, in: &transaction, body)
            }
            return changed
        }
    }

    /// Gives a field of a table's records another name; its place among the fields stays.
    ///
    /// - Returns: How many records had it.
    /// - Throws: ``StoreError`` `.alreadyThere` when a record has a field of the new name, since
    ///   one of the two would be lost; `.idMismatch` for the id field. The transaction is as it
    ///   was.
    /// - Complexity: As ``transform(_:_:)``.
    @discardableResult
    public mutating func renameField(
        _ field: String,
        to name: String,
        in table: TableName
    ) throws -> Int {
        try requireNotID(field, in: table)
        try requireNotID(name, in: table)
        return try transform(table) { record, _ in
            guard record[field] != nil else { return }
            guard record[name] == nil else { throw StoreError.alreadyThere(name, in: table) }
            record = JSONObject(
                record.map { UTF8Order.same($0.name, field) ? (name: name, value: $0.value) : $0 }
            )
        }
    }

    /// Removes a field from a table's records.
    ///
    /// - Returns: How many records had it.
    /// - Throws: ``StoreError`` `.idMismatch` for the id field; the transaction is as it was.
    /// - Complexity: As ``transform(_:_:)``.
    @discardableResult
    public mutating func removeField(_ field: String, in table: TableName) throws -> Int {
        try requireNotID(field, in: table)
        return try transform(table) { record, _ in record.removeValue(named: field) }
    }

    /// Gives the records of a table that lack a field a value for it; null is a value that is
    /// there.
    ///
    /// - Returns: How many records lacked it.
    /// - Throws: ``StoreError``; the transaction is as it was.
    /// - Complexity: As ``transform(_:_:)``.
    @discardableResult
    public mutating func setDefault(
        _ value: JSONValue,
        for field: String,
        in table: TableName
    ) throws -> Int {
        try transform(table) { record, _ in record[field] = record[field] ?? value }
    }

    /// Whether a record came from elsewhere in the form that the step leads to.
    private func isStepped(_ key: RawSpan, in table: TableName) throws -> Bool {
        guard let migration, let form = migration.form, let recorder = migration.recorder,
            recorder.records(table)
        else { return false }
        return try recorder.hasForm(form, RecordKey.id(of: key), in: table, self)
    }

    private mutating func requireNotID(_ field: String, in table: TableName) throws {
        guard let record = try tableRecord(of: table) else { return }
        guard UTF8Order.same(record.idField, field) else { return }
        throw StoreError(
            .idMismatch,
            "The field holds the ids of the table; its name stays as long as there are records.",
            table: table,
            field: field
        )
    }
}

extension StoreError {
    static func alreadyThere(_ field: String, in table: TableName) -> StoreError {
        StoreError(
            .alreadyThere,
            "A record has a field of that name already, which would be lost.",
            table: table,
            field: field
        )
    }
}
