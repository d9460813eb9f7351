import Holdfast
import HoldfastSync

extension RecordReference {
    static let note = Self("notes", "n1")
}

extension Mutation {
    /// A queued mutation of the sample record whose key tells its place.
    static func queued(
        _ change: Change,
        at place: UInt32 = 0,
        key: String? = nil,
        group: String? = nil,
        conflicts: Int = 0
    ) -> Mutation {
        var mutation = Mutation(
            position: Position(transaction: 1, place: place),
            key: MutationKey(key ?? "key-\(place)"),
            record: .note,
            change: change
        )
        mutation.group = group
        mutation.conflicts = conflicts
        return mutation
    }

    /// The same mutation, with the server's refusal.
    var refused: Mutation {
        var mutation = self
        mutation.state = .attention(SyncProblem(type: "invalid", detail: "no"))
        return mutation
    }

    /// The same mutation, frozen.
    var sent: Mutation {
        var mutation = self
        mutation.state = .sent(client: ClientID("c"), sequence: 1, text: [])
        return mutation
    }
}

extension Mutation.Change {
    static func patch(_ set: JSONObject, unset: Set<String> = []) -> Self {
        .patch(set: set, unset: unset)
    }

    static func action(_ guess: JSONObject = [:]) -> Self {
        .action(name: "act", arguments: [:], guess: guess, unset: [])
    }
}
