package import Holdfast

/// A local change that the server has not acknowledged: an entry of the outbox.
package struct Mutation: Hashable, Sendable {
    /// Its place in the outbox, never used twice: by transaction, then by order within it.
    package struct Position: Hashable, Comparable, Sendable {
        package var transaction: UInt64
        package var place: UInt32

        package init(transaction: UInt64, place: UInt32) {
            self.transaction = transaction
            self.place = place
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.transaction, left.place) < (right.transaction, right.place)
        }
    }

    /// What it does to its record.
    package enum Change: Hashable, Sendable {
        /// Writes it whole: it was not there, or is a put on a tombstone.
        case put(JSONObject)
        /// Sets and removes top-level fields.
        case patch(set: JSONObject, unset: Set<String>)
        /// Deletes it.
        case delete
        /// Adds numbers to counters.
        case delta(JSONObject)
        /// Calls a handler of the server; the guess is what is shown until it answered.
        case action(name: String, arguments: JSONObject, guess: JSONObject, unset: Set<String>)
    }

    /// What was sent, byte for byte.
    package struct Frozen: Hashable, Sendable {
        package var client: ClientID
        package var sequence: Int64
        package var text: [UInt8]

        package init(client: ClientID, sequence: Int64, text: [UInt8]) {
            self.client = client
            self.sequence = sequence
            self.text = text
        }
    }

    /// How far it has come.
    package enum State: Hashable, Sendable {
        /// It was never sent, and may still be changed.
        case queued
        /// It was frozen: it may have been sent, and the outcome is unknown. The text is that of
        /// the operation on the wire.
        case sent(client: ClientID, sequence: Int64, text: [UInt8])
        /// The server refused it. An edit of the record tries again.
        case attention(SyncProblem)
    }

    package var position: Position
    package var key: MutationKey
    package var record: RecordReference
    package var change: Change
    package var state: State = .queued
    /// What may still arrive under the mutation's key although it is not awaited any more: it would
    /// count twice under another one, and so is sent again as it is.
    package var frozen: Frozen?
    /// What has to be applied together with it, or not at all.
    package var group: String?
    /// The version of the schema in whose form its change is; 0 without one.
    ///
    /// What was sent may have been written by an older one.
    package var schema = 0
    /// When it was queued, in milliseconds since 1970 by the device's clock: for people alone.
    package var created: Int64 = 0
    /// What is written whatever the base, besides what the rules say.
    package var force = PushOperation.Force.nothing
    /// What it discards.
    package var ledger: [LedgerEntry] = []
    /// How many conflicts in a row it has met.
    package var conflicts = 0
    /// How often in a row the server has put it off.
    package var deferrals = 0
    /// Whether a former life of this replica, before it was restored from a backup, may have sent
    /// it: until the server has answered it is as one that was sent.
    package var isFromBackup = false
    /// Whether it puts again what was on the server before, as far as is known: the numbers in its
    /// counters are no steps.
    package var isRemade = false
    /// Whether it is no new edit, since it may have been on the server before: a deletion wins over
    /// it.
    package var isDoubtful = false

    /// Whether its outcome is unknown.
    package var isUnknown: Bool {
        isSent || isFromBackup && !needsAttention
    }

    package init(
        position: Position,
        key: MutationKey,
        record: RecordReference,
        change: Change
    ) {
        self.position = position
        self.key = key
        self.record = record
        self.change = change
    }
}

extension [Mutation] {
    /// Whether the server may have applied what these mutations of one record do, without the answer
    /// having come: of those from a backup only the first can be sent, and tells.
    package var isOutcomeUnknown: Bool {
        contains(where: \.isSent) || first?.isUnknown == true
    }
}
