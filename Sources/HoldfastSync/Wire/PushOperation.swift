public import Holdfast

/// One mutation on its way to the server.
///
/// Its text is fixed when it is first sent and stays the same, byte for byte, however often it is
/// sent again.
public struct PushOperation: Hashable, Sendable {
    /// What the mutation does.
    public enum Kind: String, Hashable, Sendable {
        /// Writes the whole record.
        case put
        /// Sets and removes top-level fields.
        case patch
        /// Deletes the record.
        case delete
        /// Adds numbers to fields.
        case delta
        /// Runs a handler of the server.
        case action
    }

    /// What is written whatever the base.
    public enum Force: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// These top-level fields.
        case fields(Set<String>)
        /// The whole record.
        case record
    }

    /// What the server may do with a patch on another base.
    public enum Merge: String, Hashable, Sendable {
        /// Apply it when none of its fields has changed since.
        case fields
        /// Refuse it.
        case none
    }

    /// The mutation's key.
    public var key: MutationKey
    /// The mutation's number among all that this client ever sent: 1 or more, ascending.
    public var sequence: Int64
    /// What has to be applied together with it, or not at all.
    public var group: String?
    /// The version of the app's schema that wrote it.
    public var schema: Int
    /// The form that its fields are in; 0 where nobody knows.
    ///
    /// It is the version of the app's schema that the newest step of representation leads to, 1
    /// where there is none.
    public var form: Int
    /// The record.
    public var record: RecordReference
    /// What it does.
    public var kind: Kind
    /// The state that it was made on; `nil` where the record must not exist.
    ///
    /// A delta has none. An action runs on any; what the server says of it tells whether it was this
    /// one.
    public var base: RecordVersion?
    /// The fields to write; for a delta, the numbers to add; for an action, its arguments.
    public var fields: JSONObject
    /// The fields to remove.
    public var unset: [String]
    /// What is written whatever the base.
    public var force: Force
    /// What the server may do with a patch on another base.
    public var merge: Merge
    /// The name of an action's handler.
    public var action: String?
    /// What the mutation discards of what others wrote, or the replica of its own.
    public var ledger: [LedgerEntry]

    /// A mutation.
    public init(
        key: MutationKey,
        sequence: Int64,
        group: String? = nil,
        schema: Int = 0,
        form: Int = 0,
        record: RecordReference,
        kind: Kind,
        base: RecordVersion? = nil,
        fields: JSONObject = [:],
        unset: [String] = [],
        force: Force = .nothing,
        merge: Merge = .fields,
        action: String? = nil,
        ledger: [LedgerEntry] = []
    ) {
        self.key = key
        self.sequence = sequence
        self.group = group
        self.schema = schema
        self.form = form
        self.record = record
        self.kind = kind
        self.base = base
        self.fields = fields
        self.unset = unset
        self.force = force
        self.merge = merge
        self.action = action
        self.ledger = ledger
    }
}
