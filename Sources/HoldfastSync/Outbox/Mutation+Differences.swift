package import Holdfast

extension Mutation.Change {
    /// What leads from one state of a record to another, as the outbox queues it: nothing for equal
    /// states, a put of a record that was not there, a deletion, or a patch and a delta.
    ///
    /// A counter that goes from one number to another is a delta. The id field never changes.
    package static func differences(
        from old: JSONObject?,
        to new: JSONObject?,
        rules: SyncRules
    ) -> [Self] {
        guard let new else { return old == nil ? [] : [.delete] }
        guard let old else { return [.put(new)] }
        var steps = JSONObject()
        var (set, unset) = patch(from: old, to: new, rules: rules)
        for (name, value) in set {
            guard case .counter = rules[name].kind,
                let step = JSONValue.step(from: old[name], to: value)
            else { continue }
            steps[name] = step
            set.removeValue(named: name)
        }
        var changes: [Self] = []
        if !set.isEmpty || !unset.isEmpty { changes.append(.patch(set: set, unset: unset)) }
        if !steps.isEmpty { changes.append(.delta(steps)) }
        return changes
    }

    /// The fields to set and to remove that lead from one state of a record to another; it is what
    /// an action guesses, too.
    package static func patch(
        from old: JSONObject,
        to new: JSONObject,
        rules: SyncRules
    ) -> (set: JSONObject, unset: Set<String>) {
        var set = JSONObject()
        var unset: Set<String> = []
        for (name, value) in new where name != rules.idField && old[name] != value {
            set[name] = value
        }
        for (name, _) in old where name != rules.idField && new[name] == nil {
            unset.insert(name)
        }
        return (set, unset)
    }
}
