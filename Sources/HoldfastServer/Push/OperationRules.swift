import Holdfast
import HoldfastSync

/// The rules by which a mutation is applied to a record's state: a pure function.
struct OperationRules {
    let operation: PushOperation
    /// The record's state now.
    let slot: RecordSlot
    /// Its state before the mutation's group, if it is one of a group: what the group itself has
    /// written is nobody else's change.
    let origin: RecordSlot
    /// The field that holds the id.
    let idField: String
    /// The dataset.
    let dataset: DatasetRecord

    /// What becomes of the mutation.
    var verdict: Verdict {
        if carriesOnlyLedger { return .noop }
        if let problem = shapeProblem { return .reject(problem) }
        switch operation.kind {
        case .put: return put()
        case .patch: return patch()
        case .delete: return delete()
        case .delta: return delta()
        case .action:
            return slot.isTombstone
                ? .conflict(nil) : .call(isMerged: operation.base != nil && !isOnBase)
        }
    }

    /// Whether the mutation was made on the state that stands now.
    private var isOnBase: Bool {
        operation.base.map { $0 == origin.version } ?? (origin.metadata == nil)
    }

    /// Whether the group that the mutation belongs to has made the record.
    private var isOwnCreation: Bool { origin.metadata == nil && slot.metadata != nil }

    /// Whether it changes nothing, and only tells what was discarded.
    private var carriesOnlyLedger: Bool {
        operation.kind == .patch && operation.fields.isEmpty
            && operation.unset.isEmpty
    }

    /// The base, if this history had it.
    private var knownBase: RecordVersion? {
        operation.base.flatMap { dataset.knows($0) ? $0 : nil }
    }

    // MARK: Put

    private func put() -> Verdict {
        let object = whole
        guard slot.metadata != nil else {
            if operation.base != nil { return .conflict(.purged) }
            return .write(Writing(object: object, touched: .whole, isMerged: false))
        }
        if slot.object == object { return .noop }
        if isOnBase { return .write(Writing(object: object, touched: .whole, isMerged: false)) }
        guard isForced(object, over: slot.object) else { return .conflict(nil) }
        var writing = Writing(object: object, touched: .whole, isMerged: false)
        writing.overwritten = overwritten(by: object)
        return .write(writing)
    }

    /// The record as it is sent, with its id.
    private var whole: JSONObject {
        var object = operation.fields
        if object[idField] == nil { object[idField] = .string(operation.record.id.text) }
        return object
    }

    /// Whether whatever a put would change is written whatever the base.
    private func isForced(_ object: JSONObject, over current: JSONObject?) -> Bool {
        switch operation.force {
        case .nothing: return false
        case .record: return true
        case .fields(let names):
            guard let current else { return false }
            return current.allSatisfy { names.contains($0.name) || object[$0.name] == $0.value }
                && object.allSatisfy { names.contains($0.name) || current[$0.name] == $0.value }
        }
    }

    // MARK: Patch

    private func patch() -> Verdict {
        if isForTheLedger { return .noop }
        guard slot.metadata != nil else { return .conflict(.purged) }
        guard let current = slot.object else { return .conflict(nil) }
        let patched = patched(current)
        if patched == current { return .noop }
        var writing = Writing(object: patched, touched: .fields(names), isMerged: !isOnBase)
        if isOnBase { return .write(writing) }
        let changed = names.filter { isChanged($0) && current[$0] != patched[$0] }
        guard names.allSatisfy({ isForced($0) || canMerge && !changed.contains($0) }) else {
            return .conflict(nil)
        }
        writing.overwritten = changed.sorted { UTF8Order.order($0, $1) == .before }.map { field in
            let stamp = origin.metadata?.stamp(of: field)
            return Overwritten(
                field: field,
                discarded: origin.object?[field],
                kept: patched[field],
                version: stamp?.version ?? slot.version,
                author: stamp?.author
            )
        }
        return .write(writing)
    }

    /// Whether a patch writes nothing and only says what was discarded, of whatever there is.
    private var isForTheLedger: Bool {
        operation.fields.isEmpty && operation.unset.isEmpty
    }

    /// The fields that a patch writes and removes.
    private var names: Set<String> {
        var names = Set(operation.unset)
        for field in operation.fields { names.insert(field.name) }
        names.remove(idField)
        return names
    }

    private func patched(_ current: JSONObject) -> JSONObject {
        var object = current
        for name in operation.unset { object[name] = nil }
        for (name, value) in operation.fields where !UTF8Order.same(name, idField) {
            object[name] = value
        }
        return object
    }

    /// Whether a patch may be put on a newer state.
    ///
    /// A base that this history never had says nothing about what changed since.
    private var canMerge: Bool {
        operation.merge == .fields && knownBase != nil
    }

    private func isChanged(_ field: String) -> Bool {
        guard let metadata = origin.metadata else { return false }
        guard let base = knownBase else { return true }
        return metadata.stamp(of: field).version > base
    }

    private func isForced(_ field: String) -> Bool {
        switch operation.force {
        case .nothing: false
        case .fields(let names): names.contains(field)
        case .record: true
        }
    }

    // MARK: Delete

    private func delete() -> Verdict {
        guard slot.object != nil else { return .noop }
        if isOnBase { return .delete([]) }
        guard operation.force == .record else { return .conflict(nil) }
        return .delete(overwritten(by: nil))
    }

    /// What a forced write of the whole record replaces.
    private func overwritten(by object: JSONObject?) -> [Overwritten] {
        let base = knownBase?.number ?? 0
        guard let metadata = origin.metadata, let current = origin.object,
            metadata.version.number > base
        else { return [] }
        let newest = metadata.stamps.max { $0.version < $1.version }
        return [
            Overwritten(
                field: nil,
                discarded: .object(current),
                kept: object.map { .object($0) },
                version: metadata.version,
                author: newest?.author
            )
        ]
    }

    // MARK: Delta

    private func delta() -> Verdict {
        guard slot.metadata != nil else { return .conflict(.purged) }
        guard let current = slot.object else { return .conflict(nil) }
        let object = current.counted(operation.fields)
        if object == current { return .noop }
        let names = Set(operation.fields.lazy.map(\.name))
        return .write(Writing(object: object, touched: .fields(names), isMerged: false))
    }

    // MARK: Shape

    /// What is wrong with the mutation, whatever the state.
    private var shapeProblem: SyncProblem? {
        switch operation.kind {
        case .put: return idProblem
        case .patch:
            if operation.base == nil, !isForTheLedger, !isOwnCreation {
                return .invalid("A patch is made on a version.")
            }
            if operation.unset.contains(where: { operation.fields[$0] != nil }) {
                return .invalid("A patch cannot set and remove one field.")
            }
            if operation.unset.contains(where: { UTF8Order.same($0, idField) }) {
                return .invalid("A record keeps its id.", at: idField)
            }
            return idProblem
        case .delta:
            let isNumeric = operation.fields.allSatisfy { $0.value.doubleValue != nil }
            let hasID = operation.fields[idField] != nil
            return isNumeric && !hasID ? nil : .invalid("A delta adds numbers to fields.")
        case .delete, .action: return nil
        }
    }

    private var idProblem: SyncProblem? {
        guard let value = operation.fields[idField] else { return nil }
        if RecordID(wire: value) == operation.record.id { return nil }
        return .invalid("The id field holds another id than the mutation.", at: idField)
    }
}
