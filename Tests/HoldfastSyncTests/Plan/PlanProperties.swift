import Holdfast
import HoldfastSync

/// What has to hold of every rebase, whatever the states.
struct PlanProperties {
    let base: ServerState
    let mutations: [Mutation]
    let remote: ServerState
    let rules: SyncRules
    let rebase: Rebase

    /// The promises that are broken.
    var violations: [String] {
        var broken: [String] = []
        if !isOrdered { broken.append("mutations out of order, twice, or new") }
        if rebase.base != remote { broken.append("the base is not the server's state") }
        if rebase.local != rebase.mutations.applied(to: remote.object) { broken.append("local") }
        if !isSettled { broken.append("planning again changes something") }
        if hasDuplicates(entries.map(\.id)) { broken.append("one loss twice in the ledger") }
        if entries.contains(where: { $0.discarded == $0.kept }) { broken.append("no loss") }
        if !rebase.unclaimed.isEmpty, rebase.mutations.contains(where: \.change.hasBase) {
            broken.append("an entry without the mutation that could carry it")
        }
        if !keepsActions { broken.append("an action vanished") }
        return broken + lostFields + lostRecords
    }

    private var entries: [LedgerEntry] { rebase.mutations.flatMap(\.ledger) + rebase.unclaimed }

    private var isOrdered: Bool {
        let known = Dictionary(
            uniqueKeysWithValues: mutations.map { ($0.key, ($0.position, $0.group)) }
        )
        let edits = rebase.mutations.filter(\.change.hasBase).map(\.position)
        return !hasDuplicates(rebase.mutations.map(\.key))
            && rebase.mutations.allSatisfy { mutation in
                guard let (position, group) = known[mutation.key] else { return false }
                // A step that has to wait for the record's return leaves its group.
                let hasLeft = mutation.group == nil && !mutation.change.hasBase
                return position == mutation.position && (group == mutation.group || hasLeft)
            }
            && zip(edits, edits.dropFirst()).allSatisfy { $0 < $1 }
    }

    private func hasDuplicates<Element: Hashable>(_ elements: [Element]) -> Bool {
        Set(elements).count != elements.count
    }

    private var isSettled: Bool {
        let again = planned(rebase.mutations, on: rebase.base, against: remote, rules)
        guard let first = rebase.mutations.first else { return again == .idle }
        if case .attention = first.state { return again == .idle }
        return again == .send
    }

    private var keepsActions: Bool {
        mutations.filter(\.change.isAction).map(\.key)
            == rebase.mutations.filter(\.change.isAction).map(\.key)
    }

    /// Fields of one side that are in the end neither there nor in the ledger.
    private var lostFields: [String] {
        guard rules.kind == .mutable, let ours = local, let theirs = remote.object,
            let merged = rebase.mutations.snapshot(of: theirs)
        else { return [] }
        let names = Set([ours, theirs, base.object ?? [:]].flatMap { $0.map(\.name) })
            .subtracting(["id"])
        return names.flatMap { name in
            var broken: [String] = []
            let isWritten = written.contains(name)
            if !isWritten, merged[name] != theirs[name] { broken.append("\(name) out of nothing") }
            if isWritten, merged[name] != ours[name], !isExplained(name, ours[name]) {
                broken.append("\(name) of this side is lost")
            }
            if theirs[name] != base.object?[name], merged[name] != theirs[name],
                !isExplained(name, theirs[name])
            {
                broken.append("\(name) of the server is lost")
            }
            return broken
        }
    }

    private func isExplained(_ name: String, _ value: JSONValue?) -> Bool {
        if entries.contains(where: { $0.field == name && $0.discarded == value }) { return true }
        switch rules[name].kind {
        case .counter, .set, .text: return !entries.contains { $0.field == name }
        default: return false
        }
    }

    /// Whole records of one side that are neither there nor in the ledger.
    private var lostRecords: [String] {
        let whole = entries.filter { $0.field == nil }
        if local != nil, rebase.local == nil, whole.isEmpty {
            return ["a record of this side is lost"]
        }
        let isDeletedHere = local == nil && mutations.contains { $0.change == .delete }
        let isNewsThere = remote.object != base.object
        if isDeletedHere, rebase.local != nil, rebase.mutations.applied(to: nil) == nil,
            whole.isEmpty
        {
            return ["a deletion of this side is lost"]
        }
        if isDeletedHere, isNewsThere, remote.object != nil, rebase.local == nil, whole.isEmpty {
            return ["a record of the server is lost"]
        }
        return []
    }

    /// The record here without what only counts or guesses.
    private var local: JSONObject? {
        mutations.contains(where: \.change.isEdit) ? mutations.snapshot(of: base.object) : nil
    }

    private var written: Set<String> {
        var names: Set<String> = []
        var state = base.object
        for mutation in mutations where mutation.change.hasBase {
            switch mutation.change {
            case .patch(let set, let unset): names.formUnion(set.map(\.name) + unset)
            case .put(let object):
                let (set, unset) = Mutation.Change.patch(
                    from: state ?? [:],
                    to: object,
                    rules: rules
                )
                names.formUnion(set.map(\.name) + unset)
            default: break
            }
            state = mutation.change.applied(to: state) ?? state
        }
        return names
    }
}
