import HoldfastStorage

/// A field of a table's records holds the id of a record.
struct ReferenceRule {
    let table: TableName
    let reference: Reference
    /// The engine's name of the index over the field; `nil` where it is not built.
    let engineName: String?

    var target: TableName { reference.target }

    init(_ declared: TableReference, engineName: String? = nil) {
        table = declared.table
        reference = declared.reference
        self.engineName = engineName
    }

    /// Whether both are the same declaration.
    func isSame(as other: ReferenceRule) -> Bool {
        table == other.table && reference == other.reference
    }

    /// What a document refers to.
    enum Value: Equatable {
        case none
        case id(RecordID)
        /// The field holds what is no id.
        case invalid
    }

    func value(in document: RawSpan) throws(DocumentError) -> Value {
        switch try Document.value(of: reference.field, in: document) {
        case nil, .null?: .none
        case let value?: (try? RecordID(value)).map { .id($0) } ?? .invalid
        }
    }

    /// Whether two documents refer to the same.
    func isSame(in document: RawSpan, as other: RawSpan) throws(DocumentError) -> Bool {
        switch (try value(in: document), try value(in: other)) {
        case (.invalid, .invalid):
            try Document.value(of: reference.field, in: document)
                == Document.value(of: reference.field, in: other)
        case (let first, let second): first == second
        }
    }

    /// Whether what a document refers to is there.
    func holds(in document: RawSpan, _ state: StoreState) throws -> Bool {
        switch try value(in: document) {
        case .none: true
        case .invalid: false
        case .id(let id): try state.contains(id, in: target)
        }
    }

    /// The error of a record that refers to nothing that is there.
    func missing(at key: [UInt8], _ value: Value) -> StoreError {
        var error = StoreError(
            .missingReference,
            value == .invalid
                ? "The field refers to a record of table \(target): it holds an id or null."
                : "The field refers to a record of table \(target) that is not there; put it in the"
                    + " same transaction, or set the field to null.",
            table: table,
            id: key.withRawSpan { RecordKey.id(of: $0) },
            field: reference.field
        )
        if case .id(let id) = value {
            error.otherTable = target
            error.otherID = id
        }
        return error
    }
}

extension ReferenceRule {
    /// Visits the keys of the records that refer to one.
    ///
    /// - Complexity: O(log n) a record with the index built, else O(n).
    func forEachReferrer(
        of id: RecordID,
        in state: StoreState,
        _ visit: (_ key: RawSpan) throws -> Void
    ) throws {
        guard let engineName else { return try search(id, in: state, visit) }
        try scan(engineName, .string(id.text), isExact: true, id, state, visit)
        if let number = Int64(id.text), String(number) == id.text {
            // The index tells 7 from 7.0 no more than queries do.
            try scan(engineName, .integer(number), isExact: false, id, state, visit)
        }
    }

    private func scan(
        _ engineName: String,
        _ value: JSONValue,
        isExact: Bool,
        _ id: RecordID,
        _ state: StoreState,
        _ visit: (_ key: RawSpan) throws -> Void
    ) throws {
        var key = CompoundKey()
        key.append(value)
        let range = KeyRange.exactly(key.bytes)
        try state.storage.scanIndex(engineName, range, .forward) { _, record in
            let isSure = isExact && !key.isTruncated
            if try isSure || refers(record, to: id, in: state) { try visit(record) }
            return true
        }
    }

    private func refers(_ record: RawSpan, to id: RecordID, in state: StoreState) throws -> Bool {
        guard let document = try state.storage.value(for: record) else { return false }
        return try document.withRawSpan { try refers($0, at: record, to: id) }
    }

    private func refers(_ document: RawSpan, at record: RawSpan, to id: RecordID) throws -> Bool {
        do {
            return try value(in: document) == .id(id)
        } catch {
            throw StoreError(error, at: record)
        }
    }

    private func search(
        _ id: RecordID,
        in state: StoreState,
        _ visit: (_ key: RawSpan) throws -> Void
    ) throws {
        try state.storage.scan(RecordKey.range(of: table), .forward) { record, document in
            if try refers(document, at: record, to: id) { try visit(record) }
            return true
        }
    }
}
