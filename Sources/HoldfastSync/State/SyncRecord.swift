package import Holdfast

/// What sync knows of one record: the base, the newest state of the server that is not planned yet,
/// and its mutations.
///
/// A clean record is its own base: its document stands in its table and nothing more than the
/// version and the scope is stored here.
package struct SyncRecord: Hashable, Sendable {
    /// A state of the server beyond the base.
    package struct Remote: Hashable, Sendable {
        package var state: ServerState
        package var scope: ScopeName?

        package init(state: ServerState, scope: ScopeName?) {
            self.state = state
            self.scope = scope
        }
    }

    /// The version of the base; 0 when the server never had the record, as far as is known.
    package var version = RecordVersion(0)
    /// The scope of the base.
    package var scope: ScopeName?
    /// Whether the base is a tombstone, or nothing.
    package var isDeleted = true
    /// The base, while there are mutations: without them the record itself is the base.
    package var base: JSONObject?
    /// The newest state of the server, while the outcome of a mutation is unknown or the app is
    /// asked.
    package var remote: Remote?
    /// The mutations in their order.
    package var mutations: [Mutation.Position] = []
    /// The fields that the app is asked about.
    package var question: [String]?
    /// Whether the principal sees the record no longer, and it is here for its mutations alone.
    package var isUnseen = false
    /// The generation of the snapshot that the record was last seen in.
    package var mark: UInt32 = 0

    package init() {}

    /// Whether there is nothing to send and nothing to decide.
    package var isClean: Bool { mutations.isEmpty && remote == nil && question == nil }
}
