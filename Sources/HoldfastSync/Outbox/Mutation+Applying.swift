package import Holdfast

extension Mutation.Change {
    /// The record that it makes of a record; `nil` for none.
    ///
    /// A patch and a delta make nothing of nothing. An action's guess does: it may be that of a
    /// record which the server is to make.
    package func applied(to object: JSONObject?) -> JSONObject? {
        switch self {
        case .put(let new): new
        case .delete: nil
        case .patch(let set, let unset): object.map { $0.patched(set: set, unset: unset) }
        case .delta(let steps): object.map { $0.counted(steps) }
        case .action(_, _, let guess, let unset):
            guess.isEmpty && unset.isEmpty
                ? object : object?.patched(set: guess, unset: unset) ?? guess.unlessEmpty
        }
    }

    /// Whether it was made on a state of the record that the server has to know: at most one of
    /// these is in flight for a record.
    package var hasBase: Bool {
        switch self {
        case .put, .patch, .delete: true
        case .delta, .action: false
        }
    }

    /// Whether it writes the record, or deletes it; a patch of nothing only carries what its
    /// mutation has for the ledger.
    package var isEdit: Bool {
        if case .patch(let set, let unset) = self { return !set.isEmpty || !unset.isEmpty }
        return hasBase
    }

    /// Whether it says something of the record's fields, which one form says otherwise than another.
    var saysFields: Bool {
        switch self {
        case .put, .delta: true
        case .patch: isEdit
        case .delete: false
        case .action(_, _, let guess, let unset): !guess.isEmpty || !unset.isEmpty
        }
    }

    /// Whether it writes the record whole.
    package var isPut: Bool { if case .put = self { true } else { false } }

    /// Whether it calls a handler of the server.
    package var isAction: Bool { if case .action = self { true } else { false } }
}

extension Sequence<Mutation> {
    /// The record that the mutations make of a record, in their order; `nil` for none.
    package func applied(to object: JSONObject?) -> JSONObject? {
        reduce(object) { $1.change.applied(to: $0) }
    }

    /// The record without what deltas and actions make of it: what a put of the whole record sends.
    package func snapshot(of object: JSONObject?) -> JSONObject? {
        reduce(object) { $1.change.hasBase ? $1.change.applied(to: $0) : $0 }
    }
}

extension JSONObject {
    /// The object with fields set and others removed.
    package func patched(set: JSONObject, unset: some Sequence<String>) -> JSONObject {
        var object = self
        for (name, value) in set { object[name] = value }
        for name in unset { object.removeValue(named: name) }
        return object
    }

    /// The object with numbers added to its fields.
    package func counted(_ steps: JSONObject) -> JSONObject {
        var object = self
        for (name, step) in steps { object[name] = JSONValue.counting(object[name], and: step) }
        return object
    }

    fileprivate var unlessEmpty: JSONObject? { isEmpty ? nil : self }
}
