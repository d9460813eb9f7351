import Holdfast

extension Rebasing {
    /// Merges every field that was written here with a newer state of the server.
    ///
    /// - Returns: The fields about which the app has to be asked; then nothing is merged.
    mutating func mergeFields(with theirs: JSONObject) -> [String] {
        let ours = base.object ?? [:]
        if areApart(from: theirs, ours) { return [] }
        let plain = patches(from: ours)
        guard let local = plain.snapshot(of: ours) else { return [] }
        let fields = plain.writtenFields.filter { $0 != rules.idField && theirs[$0] != ours[$0] }
        let conflicts = fields.map { conflict(in: $0, ours, local, theirs) }
        let asking = conflicts.filter { $0.local != $0.remote && asks(about: $0.field) }
        if choice == nil, !asking.isEmpty { return asking.map(\.field) }
        let notes = Set(mutations.lazy.filter(\.isEmpty).map(\.key))
        mutations = plain
        keepCopy(of: local, conflicts)
        for conflict in conflicts { settle(conflict, local, theirs) }
        dropWrites(to: rules.idField)
        removeEmptyPatches(but: notes)
        return []
    }

    /// Whether the server has changed no field that is written here: the usual case.
    private func areApart(from theirs: JSONObject, _ ours: JSONObject) -> Bool {
        mutations.allSatisfy { mutation in
            switch mutation.change {
            case .put, .delete: false
            case .delta, .action: true
            case .patch(let set, let unset):
                set.allSatisfy { theirs[$0.name] == ours[$0.name] }
                    && unset.allSatisfy { theirs[$0] == ours[$0] }
            }
        }
    }

    private func conflict(
        in field: String,
        _ ours: JSONObject,
        _ local: JSONObject,
        _ theirs: JSONObject
    ) -> FieldConflict {
        FieldConflict(
            record: record,
            field: field,
            base: ours[field],
            local: local[field],
            remote: theirs[field]
        )
    }

    private func asks(about field: String) -> Bool { rules[field].isAsking }

    /// The mutations with patches instead of puts: each of what it changes of the state before it.
    ///
    /// A deletion in the midst goes: the record is written again behind it.
    private mutating func patches(from ours: JSONObject) -> [Mutation] {
        var state = ours
        var patches: [Mutation] = []
        for var mutation in mutations {
            switch mutation.change {
            case .put(let object):
                let (set, unset) = Mutation.Change.patch(from: state, to: object, rules: rules)
                mutation.change = .patch(set: set, unset: unset)
                mutation.isRemade = false
            case .delete:
                adopt(mutation.ledger)
                continue
            case .patch, .delta, .action: break
            }
            if mutation.change.hasBase { state = mutation.change.applied(to: state) ?? state }
            patches.append(mutation)
        }
        return patches
    }

    /// Decides about a field that the server has changed and that was written here.
    private mutating func settle(
        _ conflict: FieldConflict,
        _ local: JSONObject,
        _ theirs: JSONObject
    ) {
        let (field, policy) = (conflict.field, rules[conflict.field])
        guard conflict.local != conflict.remote else { return dropWrites(to: field) }
        // What was put again has been counted by whoever else put it again.
        let isTheirs = policy.isAsking && choice == .remote || policy.isCounting && isPutAgain
        let merged = conflict.merged(
            by: isTheirs ? .serverWins : policy,
            in: local,
            and: theirs
        )
        let key = lastWriter(of: [field])
        if merged.discardsLocal, let key {
            discard(field, edit: conflict.local, of: key, for: merged.value, by: "\(policy)")
        }
        if merged.discardsRemote {
            discard(field, state: conflict.remote, for: merged.value, by: "\(policy)")
        }
        if merged.value == conflict.remote {
            dropWrites(to: field)
        } else if merged.value != conflict.local {
            write(merged.value, to: field)
        }
    }

    /// The record as it is here becomes one of its own where the server's value stays in its place.
    private mutating func keepCopy(of local: JSONObject, _ conflicts: [FieldConflict]) {
        let lost = conflicts.filter { conflict in
            guard case .keepBoth = rules[conflict.field].kind else { return false }
            return conflict.local != conflict.remote
        }
        guard let key = lastWriter(of: lost.map(\.field)) else { return }
        var derived = DerivedID("copy", of: record)
        derived.append(key.text)
        derived.append(base.version.number)
        let id = derived.id
        var object =
            mutations.filter { !$0.change.isAction }.applied(to: base.object ?? [:]) ?? local
        object[rules.idField] = .string(id.text)
        copies.append(Rebase.Copy(id: id, object: object))
    }

    private func lastWriter(of fields: [String]) -> MutationKey? {
        mutations.last { mutation in fields.contains { mutation.change.patches($0) } }?.key
    }

    private mutating func dropWrites(to field: String) {
        for index in mutations.indices { mutations[index].change.removeWrite(to: field) }
    }

    /// Only the last writer writes, and this.
    private mutating func write(_ value: JSONValue?, to field: String) {
        guard let last = mutations.lastIndex(where: { $0.change.patches(field) }) else { return }
        dropWrites(to: field)
        guard case .patch(var set, var unset) = mutations[last].change else { return }
        if let value { set[field] = value } else { unset.insert(field) }
        mutations[last].change = .patch(set: set, unset: unset)
    }

    /// A patch that has nothing left to write goes, unless it had nothing from the start.
    private mutating func removeEmptyPatches(but notes: Set<MutationKey>) {
        let isEmptied = { (mutation: Mutation) in
            mutation.isEmpty && !notes.contains(mutation.key)
        }
        for mutation in mutations where isEmptied(mutation) { adopt(mutation.ledger) }
        mutations.removeAll(where: isEmptied)
    }
}

extension Mutation {
    /// Whether it writes nothing.
    fileprivate var isEmpty: Bool { change.hasBase && !change.isEdit }
}

extension Mutation.Change {
    fileprivate func patches(_ field: String) -> Bool {
        guard case .patch(let set, let unset) = self else { return false }
        return set[field] != nil || unset.contains(field)
    }

    fileprivate mutating func removeWrite(to field: String) {
        guard patches(field), case .patch(var set, var unset) = self else { return }
        set.removeValue(named: field)
        unset.remove(field)
        self = .patch(set: set, unset: unset)
    }
}

extension [Mutation] {
    /// The fields that patches write, each once, in an order that follows from them alone.
    fileprivate var writtenFields: [String] {
        var seen: Set<String> = []
        var fields: [String] = []
        for case .patch(let set, let unset) in lazy.map(\.change) {
            for name in set.map(\.name) + unset.sorted() where seen.insert(name).inserted {
                fields.append(name)
            }
        }
        return fields
    }
}
