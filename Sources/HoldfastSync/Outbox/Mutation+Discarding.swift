package import Holdfast

extension Sequence<Mutation> {
    /// The mutations without one that is given up, in their order.
    ///
    /// What was built on it and means nothing without it goes too: patches and deltas of a record
    /// that then is not there, and its deletion. An action stays: the server alone knows what it
    /// means.
    ///
    /// - Parameters:
    ///   - key: The one that is given up.
    ///   - base: The record on the server, which the mutations are made on.
    /// - Returns: What remains.
    package func discarding(_ key: MutationKey, on base: JSONObject?) -> [Mutation] {
        var object = base
        var kept: [Mutation] = []
        for mutation in self where mutation.key != key {
            switch mutation.change {
            case .patch where object == nil, .delta where object == nil,
                .delete where object == nil:
                continue
            default:
                kept.append(mutation)
                object = mutation.change.applied(to: object)
            }
        }
        return kept
    }
}

extension Mutation.Change {
    /// Whether it means nothing where the record is not there.
    package var needsRecord: Bool {
        switch self {
        case .put, .action: false
        case .patch, .delete: isEdit
        case .delta: true
        }
    }
}

extension Mutation {
    /// Takes over what a mutation that is given up had discarded of the server's, where this one
    /// writes the same: it discards that still.
    ///
    /// - Returns: Whether there was any.
    mutating func inherit(from gone: Mutation) -> Bool {
        let known = Set(ledger.map(\.id))
        let entries = gone.ledger
            .filter { $0.discardedVersion != nil && change.writes($0.field) }
            .filter { !known.contains($0.id) }
            .map { $0.keeping(change) }
        ledger += entries
        return !entries.isEmpty
    }
}
