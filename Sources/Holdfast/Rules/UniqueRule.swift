import HoldfastStorage

/// No two records of a table have the same values in some fields.
struct UniqueRule {
    let index: TableIndex
    /// The engine's name of the index; `nil` where it is not built.
    let engineName: String?

    /// The values of a document that no other record may have; `nil` when one of them is null or
    /// missing.
    func values(in document: RawSpan) throws(DocumentError) -> [JSONValue]? {
        var values: [JSONValue] = []
        for field in index.index.fields {
            guard let value = try Document.value(of: field, in: document), value != .null else {
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// Whether a document has these values.
    func matches(_ document: RawSpan, _ values: [JSONValue]) throws(DocumentError) -> Bool {
        for (field, value) in zip(index.index.fields, values) {
            if try Document.order(of: field, in: document, to: value) != .same { return false }
        }
        return true
    }

    /// The key of a record with these values, other than the one at `own`.
    ///
    /// - Complexity: O(log n) with the index built, else O(n).
    func holder(
        of values: [JSONValue],
        besides own: [UInt8],
        in state: StoreState
    ) throws -> [UInt8]? {
        guard let engineName else { return try search(values, besides: own, in: state) }
        var key = CompoundKey()
        for value in values { key.append(value) }
        var holder: [UInt8]?
        try state.storage.scanIndex(engineName, .exactly(key.bytes), .forward) { _, record in
            if record.equals(own) { return true }
            // Cut keys are equal where the values need not be.
            if key.isTruncated, try !state.holds(values, self, at: record) { return true }
            holder = record.array
            return false
        }
        return holder
    }

    private func search(
        _ values: [JSONValue],
        besides own: [UInt8],
        in state: StoreState
    ) throws -> [UInt8]? {
        var holder: [UInt8]?
        try state.storage.scan(RecordKey.range(of: index.table), .forward) { record, document in
            if record.equals(own) { return true }
            do throws(DocumentError) {
                if try matches(document, values) { holder = record.array }
            } catch {
                throw StoreError(error, at: record)
            }
            return holder == nil
        }
        return holder
    }

    /// The error of two records with the same values.
    func conflict(of key: [UInt8], with other: [UInt8]) -> StoreError {
        let fields = index.index.fields.joined(separator: ", ")
        var error = StoreError(
            .uniqueConflict,
            "Another record of the table has the same value in \(fields), which is unique.",
            table: index.table,
            id: key.withRawSpan { RecordKey.id(of: $0) },
            field: index.index.fields.count == 1 ? fields : nil
        )
        error.otherTable = index.table
        error.otherID = other.withRawSpan { RecordKey.id(of: $0) }
        return error
    }
}

extension StoreState {
    fileprivate func holds(
        _ values: [JSONValue],
        _ rule: UniqueRule,
        at record: RawSpan
    ) throws -> Bool {
        guard let document = try storage.value(for: record) else { return false }
        do {
            return try document.withRawSpan { (document) throws(DocumentError) in
                try rule.matches(document, values)
            }
        } catch {
            throw StoreError(error, at: record)
        }
    }
}
