import Holdfast

extension Mutation {
    /// What two mutations of a record are together.
    package enum Coalesced: Hashable, Sendable {
        /// Both, one after the other.
        case both
        /// This one instead of both.
        case one(Mutation)
        /// Nothing: the record was made and deleted, and nobody else has seen it.
        case nothing
    }

    /// What two mutations of a record are together, the later one directly behind the earlier one.
    ///
    /// One that was sent, one of a group, a delta and an action stay as they are. What the server
    /// refused is tried again under the later one's key, since it keeps its answer under the
    /// earlier one's.
    ///
    /// - Parameters:
    ///   - earlier: The record's last mutation.
    ///   - later: The new one.
    ///   - wasThere: Whether the record is there before both: a put on a record that is there
    ///     replaces it, and with a deletion is a deletion.
    /// - Returns: What takes the place of both.
    package static func coalesce(
        _ earlier: Mutation,
        with later: Mutation,
        wasThere: Bool
    ) -> Coalesced {
        guard earlier.canCoalesce, later.canCoalesce else { return .both }
        switch (earlier.change, later.change) {
        case (.put, .delete) where !wasThere && !earlier.isRemade: return earlier.undone(by: later)
        case (.delete, .patch): return .both
        case (.put(let object), .patch(let set, let unset)):
            return .one(earlier.joined(by: later, .put(object.patched(set: set, unset: unset))))
        case (.patch(let first, let firstUnset), .patch(let second, let secondUnset)):
            let set = first.patched(set: second, unset: secondUnset)
            let unset = firstUnset.union(secondUnset).subtracting(second.lazy.map(\.name))
            return .one(earlier.joined(by: later, .patch(set: set, unset: unset)))
        default: return .one(earlier.joined(by: later, later.change))
        }
    }

    private var canCoalesce: Bool {
        if isUnknown { return false }
        return group == nil && change.hasBase
    }

    /// Nothing, or what it had for the ledger of the edits here that are lost.
    private func undone(by later: Mutation) -> Coalesced {
        let lost = ledger.filter { $0.discardedVersion == nil && $0.discarded != nil }
        if lost.isEmpty { return .nothing }
        var note = joined(by: later, .patch(set: [:], unset: []))
        note.ledger = lost
        return .one(note)
    }

    /// In the earlier one's place, with another change.
    private func joined(by later: Mutation, _ change: Change) -> Mutation {
        var joined = self
        joined.change = change
        joined.schema = later.schema
        joined.force = force.union(later.force)
        if case .attention = state { joined.key = later.key }
        joined.state = .queued
        joined.deferrals = 0
        joined.isDoubtful = isDoubtful && later.isDoubtful
        if !change.isSameKind(as: self.change) {
            joined.conflicts = 0
            joined.force = later.force
        }
        joined.ledger = LedgerEntry.joined(ledger, later.ledger, by: change)
        return joined
    }
}

extension Mutation.Change {
    /// Whether both write the record, or both delete it: what the one has met says nothing of the
    /// other.
    fileprivate func isSameKind(as other: Self) -> Bool { (self == .delete) == (other == .delete) }
}

extension PushOperation.Force {
    /// What either forces.
    package func union(_ other: Self) -> Self {
        switch (self, other) {
        case (.record, _), (_, .record): .record
        case (.nothing, let one), (let one, .nothing): one
        case (.fields(let first), .fields(let second)): .fields(first.union(second))
        }
    }
}

extension LedgerEntry {
    /// The entries of two mutations that became one with this change: each once, what is kept is
    /// what the change leaves, and nothing is discarded that it leaves.
    fileprivate static func joined(
        _ first: [Self],
        _ second: [Self],
        by change: Mutation.Change
    ) -> [Self] {
        if first.isEmpty, second.isEmpty { return [] }
        let known = Set(second.map(\.id))
        return (first.filter { !known.contains($0.id) } + second)
            .map { $0.keeping(change) }
            .filter { $0.discarded != $0.kept }
    }

    private func keeping(_ change: Mutation.Change) -> Self {
        var entry = self
        switch (change, field) {
        case (.put(let object), nil): entry.kept = .object(object)
        case (.put(let object), let name?): entry.kept = object[name]
        case (.delete, _): entry.kept = nil
        case (.patch(let set, let unset), let name?):
            if let value = set[name] { entry.kept = value }
            if unset.contains(name) { entry.kept = nil }
        default: break
        }
        return entry
    }
}
