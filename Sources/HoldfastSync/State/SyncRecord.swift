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

        /// Whether it is a record in a newer form than this one of an app.
        func isAhead(of form: Int) -> Bool {
            form > 0 && state.object != nil && state.form > form
        }
    }

    /// The version of the base; 0 when the server never had the record, as far as is known.
    package var version = RecordVersion(0)
    /// The scope of the base.
    package var scope: ScopeName?
    /// Whether the base is a tombstone, or nothing.
    package var isDeleted = true
    /// The form in which the server has the base; 0 where nobody knows.
    package var form = 0
    /// Whether no step could bring the base to this app's form, and it stands here as it came.
    package var isRaw = false
    /// Whether that was noted when it was read.
    var wasRaw = false
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

    /// Takes over in what form the server has the base.
    mutating func takeForm(of state: ServerState) { (form, isRaw) = (state.form, state.isRaw) }

    /// The base as a state of the server.
    func agreed(_ object: JSONObject?) -> ServerState {
        var state = ServerState(version: version, object: object, form: form)
        state.isRaw = isRaw
        return state
    }

    /// Whether a step that leads to a form is not for it: it came so, or no step can be run on it.
    func isBeyond(_ form: Int) -> Bool { isRaw || self.form >= form }

    /// Whether the server has the record in an older form than this: what is written of a few of its
    /// fields would stand beside those of the old form.
    func isOlder(than form: Int) -> Bool {
        version.number > 0 && !isDeleted && self.form > 0 && self.form < form
    }

    /// Whether there is nothing to send and nothing to decide.
    package var isClean: Bool { mutations.isEmpty && remote == nil && question == nil }
}
