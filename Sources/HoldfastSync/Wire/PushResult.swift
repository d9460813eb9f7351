public import Holdfast

/// What became of one mutation.
public struct PushResult: Hashable, Sendable {
    /// The kinds of result.
    public enum Status: String, Hashable, Sendable {
        /// It was applied on its base.
        case applied
        /// It had been applied before; the result of that time follows.
        case replayed
        /// It was applied on a newer state, whose other fields stay.
        case merged
        /// The record was so already.
        case noop
        /// The record is in another state than the mutation was made on; nothing was changed.
        case conflict
        /// The server will never apply it, and says why.
        case rejected
        /// It cannot be applied yet: the same again, later.
        case deferred
        /// Its key is no longer known: whether it was applied cannot be told.
        case expired
    }

    /// The mutation.
    public var key: MutationKey
    /// What became of it.
    public var status: Status
    /// For `replayed`, what became of it at that time: `applied`, `merged`, `noop`, `conflict` or
    /// `rejected`.
    public var original: Status?
    /// The record's version now; for a conflict, that of the state that stands against it.
    public var version: RecordVersion?
    /// The form that the server has the record in; 0 where nobody knows.
    public var form: Int
    /// The whole record now, where it differs from what was sent; for a conflict, what stands
    /// against it.
    public var record: JSONObject?
    /// Whether the record is deleted now, with ``version`` as its tombstone's.
    public var isTombstone: Bool
    /// The scope that the record is in, as far as ``version`` goes.
    public var scope: ScopeName?
    /// Why.
    public var problem: SyncProblem?

    /// A result.
    public init(
        key: MutationKey,
        status: Status,
        original: Status? = nil,
        version: RecordVersion? = nil,
        form: Int = 0,
        record: JSONObject? = nil,
        isTombstone: Bool = false,
        scope: ScopeName? = nil,
        problem: SyncProblem? = nil
    ) {
        self.key = key
        self.status = status
        self.original = original
        self.version = version
        self.form = form
        self.record = record
        self.isTombstone = isTombstone
        self.scope = scope
        self.problem = problem
    }
}
