import Holdfast

/// A local change that the server has not acknowledged, as a person may want to see it.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// Its name for ever, by which it is retried or discarded.
    public let id: MutationKey
    /// The record.
    public let record: RecordReference
    /// What it does.
    public let kind: PushOperation.Kind
    /// The names of the fields that it writes, removes or adds to, in their byte order; none for a
    /// deletion.
    public let fields: [String]
    /// When it was made, in milliseconds since 1970 by this device's clock.
    public let created: Int64
    /// What it is applied together with, or not at all.
    public let group: String?
    /// Whether it was sent, and what became of it is not known yet.
    public let isSent: Bool
    /// Why the server refused it; `nil` where it did not.
    public let problem: SyncProblem?

    init(_ mutation: Mutation) {
        id = mutation.key
        record = mutation.record
        created = mutation.created
        group = mutation.group
        isSent = mutation.isSent
        if case .attention(let problem) = mutation.state {
            self.problem = problem
        } else {
            problem = nil
        }
        var names: [String] = []
        switch mutation.change {
        case .put(let object):
            kind = .put
            names = object.map(\.name)
        case .patch(let set, let unset):
            kind = .patch
            names = set.map(\.name) + unset
        case .delete: kind = .delete
        case .delta(let steps):
            kind = .delta
            names = steps.map(\.name)
        case .action(_, _, let guess, let unset):
            kind = .action
            names = guess.map(\.name) + unset
        }
        fields = names.sorted()
    }
}
