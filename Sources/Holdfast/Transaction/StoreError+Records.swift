extension StoreError {
    /// A stored record that cannot be read back, though the engine gave its bytes as written.
    init(_ error: DocumentError, at key: RawSpan) {
        self.init(
            .corruption,
            "A record cannot be read back as it was written; run `hold verify`.",
            table: RecordKey.table(of: key),
            id: RecordKey.id(of: key),
            cause: error
        )
    }

    /// A stored record that is not of a type's shape, or that its decoding refused.
    init<Row: Record>(_ error: any Error, reading type: Row.Type, at key: RawSpan) {
        if let error = error as? DocumentError {
            self.init(error, at: key)
            return
        }
        let field = (error as? DecodingError)?.field
        self.init(
            .wrongType,
            "The stored value does not fit \(Row.self): \(error.reason)"
                + " Read it as a JSONObject, or let the type accept it.",
            table: Row.table,
            id: RecordKey.id(of: key),
            field: field,
            cause: error
        )
    }

    /// A record that cannot be stored.
    init(_ error: JSONError, storing id: RecordID, in table: TableName) {
        self.init(
            error.kind == .tooLong ? .transactionTooLarge : .notEncodable,
            "The record cannot be stored: \(error.message).",
            table: table,
            id: id,
            cause: error
        )
    }

    /// A typed record that cannot be stored.
    init<Row: Record>(_ error: any Error, storing record: Row) {
        if let error = error as? JSONError {
            self.init(error, storing: record.id, in: Row.table)
            return
        }
        self.init(
            .notEncodable,
            "The record cannot be stored: \(error.reason)",
            table: Row.table,
            id: record.id,
            field: (error as? EncodingError)?.field,
            cause: error
        )
    }

    /// A write that would give a record another id.
    static func idChange(of id: RecordID, in table: TableName) -> StoreError {
        StoreError(
            .idMismatch,
            "The record has another id than the one given, and a record's id cannot change.",
            table: table,
            id: id
        )
    }
}

extension Error {
    /// What a coding error says that is this library's own, and quotes no value; an error of a
    /// type's own coding is only named.
    fileprivate var reason: String {
        let underlying: (any Error)? =
            switch self as any Error {
            case DecodingError.typeMismatch(_, let context): context.underlyingError
            case DecodingError.valueNotFound(_, let context): context.underlyingError
            case DecodingError.dataCorrupted(let context): context.underlyingError
            case EncodingError.invalidValue(_, let context): context.underlyingError
            default: nil
            }
        if let reason = underlying as? CodingReason { return reason.text }
        if case DecodingError.keyNotFound = self as any Error { return "It lacks the field." }
        return "The type refuses it."
    }
}

extension DecodingError {
    /// The path to the field that does not fit.
    fileprivate var field: String? {
        switch self {
        case .keyNotFound(let key, let context): (context.codingPath + [key]).text
        case .typeMismatch(_, let context): context.codingPath.text
        case .valueNotFound(_, let context): context.codingPath.text
        case .dataCorrupted(let context): context.codingPath.text
        @unknown default: nil
        }
    }
}

extension EncodingError {
    /// The path to the field that cannot be stored.
    fileprivate var field: String? {
        switch self {
        case .invalidValue(_, let context): context.codingPath.text
        @unknown default: nil
        }
    }
}

extension [any CodingKey] {
    fileprivate var text: String? {
        isEmpty
            ? nil : map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
