public import Holdfast

/// What sync cannot do, and what to do about it.
///
/// What the server or the network does is not an error but a state: see ``SyncStatus``.
public struct SyncError: Error, Sendable {
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
    /// The field that it is about.
    public var field: String?
    /// What caused it.
    public var cause: (any Error)?

    /// Describes a failure.
    public init(
        _ code: Code,
        _ message: String,
        table: TableName? = nil,
        id: RecordID? = nil,
        field: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.table = table
        self.id = id
        self.field = field
        self.cause = cause
    }
}

extension SyncError: CustomStringConvertible {
    /// The message, the place and the cause, without ids and other user data.
    public var description: String {
        var text = message
        let places = [table.map { "table \($0)" }, field.map { "field \($0)" }].compactMap(\.self)
        if !places.isEmpty { text += " (" + places.joined(separator: ", ") + ")" }
        if let cause { text += " [\(cause)]" }
        return text
    }
}

extension SyncError.Code {
    /// What sync stored for itself cannot be read.
    public static let damagedState = Self("damagedState")
}

extension SyncError {
    static func damagedState(_ subject: String) -> Self {
        Self(
            .damagedState,
            "What sync stored of \(subject) cannot be read. No record is affected; run `hold verify`"
                + " on the store, and sign in anew in a new store if it finds nothing."
        )
    }
}
