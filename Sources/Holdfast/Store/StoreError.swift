import HoldfastStorage

/// What went wrong in a store, where, and what to do.
///
/// Match on ``code``, which can grow; show ``description``. Neither ``message`` nor ``description``
/// carries user data: ids of records stand in ``id`` and ``otherID`` alone, for a program to show
/// where that is wanted.
public struct StoreError: Error, Sendable {
    /// A kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        package init(_ name: String) { description = name }
    }

    /// Which kind of failure it is.
    public let code: Code
    /// What happened, what state remains and what to do, in a sentence or two.
    public let message: String
    /// The table that it is about.
    public var table: TableName?
    /// The record that it is about.
    public var id: RecordID?
    /// The table of ``otherID``.
    public var otherTable: TableName?
    /// The other record that it is about: the one with the same values, or one that refers to this.
    public var otherID: RecordID?
    /// The field that it is about; a path with dots inside a nested value.
    public var field: String?
    /// The file that it is about.
    public var path: String?
    /// The offset in that file, in bytes.
    public var offset: UInt64?
    /// What caused it.
    public var cause: (any Error)?

    /// Describes a failure.
    public init(
        _ code: Code,
        _ message: String,
        table: TableName? = nil,
        id: RecordID? = nil,
        field: String? = nil,
        path: String? = nil,
        offset: UInt64? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.table = table
        self.id = id
        self.field = field
        self.path = path
        self.offset = offset
        self.cause = cause
    }

    /// The engine's failure, in the words of this library: same code name, message and place.
    package init(_ error: StorageError, table: TableName? = nil, id: RecordID? = nil) {
        self.init(
            Code(error.code.description),
            error.message,
            table: table,
            id: id,
            path: error.path,
            offset: error.offset,
            cause: error.cause
        )
    }
}

extension StoreError: CustomStringConvertible {
    /// The message, then the place, then the cause, unless that comes from a type's own coding and
    /// may quote what is stored.
    ///
    /// Of ``field`` it has the record's own field: what lies behind may be the key of a dictionary.
    public var description: String {
        var places: [String] = []
        if let table { places.append("table \(table)") }
        if let otherTable, otherTable != table { places.append("table \(otherTable)") }
        if let field { places.append("field \(field.prefix { $0 != "." })") }
        if let path { places.append(path) }
        if let offset { places.append("offset \(offset)") }
        var text = message
        if !places.isEmpty { text += " (" + places.joined(separator: ", ") + ")" }
        if let cause, code != .wrongType, code != .notEncodable { text += " [\(cause)]" }
        return text
    }
}
