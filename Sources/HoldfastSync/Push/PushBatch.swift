import Holdfast

/// Frozen mutations that go in one request.
struct PushBatch: Sendable {
    struct Member: Hashable, Sendable {
        let key: MutationKey
        let position: Mutation.Position
        let record: RecordReference
        let group: String?
        let kind: PushOperation.Kind
        /// What it is until it is confirmed.
        let sent: OutstandingMutation?
    }

    /// Who froze them.
    var client: ClientID
    var operations: [PushRequest.Operation] = []
    var members: [Member] = []
    /// The mutations that were frozen for this batch, and not for an earlier one.
    var frozen: [OutstandingMutation] = []
    /// The client's state after the freezing.
    var state: ClientState

    var isEmpty: Bool { members.isEmpty }

    /// Whether nothing smaller can be sent.
    var isSingle: Bool {
        guard let first = members.first else { return true }
        return members.count == 1
            || first.group != nil && members.allSatisfy { $0.group == first.group }
    }
}
