public import Holdfast

/// The newest state of one record in a page of changes.
public struct ServerChange: Hashable, Sendable {
    /// The kinds of state.
    public enum Kind: String, Hashable, Sendable {
        /// The record is so.
        case put
        /// The record is deleted.
        case delete = "del"
        /// The record has left this scope; it may live in another.
        case gone
    }

    /// The scope whose history this is.
    public var scope: ScopeName
    /// The record.
    public var record: RecordReference
    /// Its version.
    public var version: RecordVersion
    /// Its position in the scope's history.
    public var sequence: Int64
    /// What became of it.
    public var kind: Kind
    /// The form that the record is in; 0 where nobody knows.
    ///
    /// It is the version of the app's schema that the newest step of representation leads to, 1
    /// where there is none.
    public var form: Int
    /// The whole record; only with `put`.
    public var fields: JSONObject?
    /// The asking client's mutations whose effects it contains, as far as their keys are kept.
    public var mine: [MutationKey]

    /// A change.
    public init(
        scope: ScopeName,
        record: RecordReference,
        version: RecordVersion,
        sequence: Int64,
        kind: Kind,
        form: Int = 0,
        fields: JSONObject? = nil,
        mine: [MutationKey] = []
    ) {
        self.scope = scope
        self.record = record
        self.version = version
        self.sequence = sequence
        self.kind = kind
        self.form = form
        self.fields = fields
        self.mine = mine
    }
}
