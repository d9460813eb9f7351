package import Holdfast

/// What has to happen next to one record.
package enum SyncPlan: Hashable, Sendable {
    /// Nothing.
    case idle
    /// Its mutations go out as they are.
    case send
    /// The outcome of a mutation that was sent is unknown: what the server has meanwhile is kept
    /// aside.
    case wait(MutationKey)
    /// The server's state becomes the record.
    case accept(ServerState)
    /// The mutations are put on the server's newer state.
    case rebase(Rebase)
    /// Both versions wait until the app decides, in these fields.
    case ask(fields: [String])
}

/// What becomes of a record's mutations when the server has a newer state.
package struct Rebase: Hashable, Sendable {
    /// A record of its own that keeps what was discarded (`keepBoth`).
    package struct Copy: Hashable, Sendable {
        /// The copy's id, which follows from the record's and the discarded mutation's key.
        package var id: RecordID
        /// The copy, with that id in the id field.
        package var object: JSONObject

        package init(id: RecordID, object: JSONObject) {
            self.id = id
            self.object = object
        }
    }

    /// The new base: the server's state.
    package var base: ServerState
    /// The mutations that remain, in their order, none of them sent.
    ///
    /// Each keeps its place in the outbox, where it stands with its group; a record's order is this.
    package var mutations: [Mutation]
    /// The record as it is to be read here: the base with the mutations.
    package var local: JSONObject?
    /// Copies to be put as new records.
    package var copies: [Copy] = []
    /// What was discarded although no mutation remains to carry it: a mutation that changes nothing
    /// has to.
    package var unclaimed: [LedgerEntry] = []

    package init(base: ServerState, mutations: [Mutation], local: JSONObject?) {
        self.base = base
        self.mutations = mutations
        self.local = local
    }
}
