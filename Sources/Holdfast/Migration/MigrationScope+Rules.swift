import HoldfastStorage

/// What was wrong before the step already, and is not the step's fault.
extension MigrationScope {
    /// Whether an index was declared before the step.
    func had(_ index: TableIndex) throws -> Bool {
        let earlier = TableIndex(index.index, on: origin(of: index.table))
        return try before.declaredIndexes(index.index.kind).contains(earlier)
    }

    /// Whether a reference was declared before the step.
    func had(_ declared: TableReference) throws -> Bool {
        let reference = declared.reference
        let earlier = Reference(
            stored: reference.field,
            to: origin(of: reference.target),
            onDelete: reference.onDelete
        )
        return try before.declaredReferences()
            .contains(TableReference(earlier, in: origin(of: declared.table)))
    }

    /// Whether all records had the values before the step.
    func found(_ values: [JSONValue], at keys: [[UInt8]], _ rule: UniqueRule) throws -> Bool {
        try keys.allSatisfy { key in
            let earlier = try key.withRawSpan { try document(at: $0) }
            return try earlier?.withRawSpan { try rule.matches($0, values) } == true
        }
    }

    /// Whether a record referred to the same before the step, which was not there then.
    func found(_ document: RawSpan, at key: RawSpan, _ rule: ReferenceRule) throws -> Bool {
        guard let earlier = try self.document(at: key) else { return false }
        return try earlier.withRawSpan { earlier in
            guard try rule.isSame(in: document, as: earlier) else { return false }
            guard case .id(let id) = try rule.value(in: earlier) else { return true }
            return try !before.contains(id, in: origin(of: rule.target))
        }
    }

    /// A record as it was before the step.
    private func document(at key: RawSpan) throws -> [UInt8]? {
        let table = origin(of: RecordKey.table(of: key))
        return try before.value(for: RecordKey.bytes(of: RecordKey.id(of: key), in: table))
    }
}
