import Holdfast
import HoldfastSync

/// What a record has been through, told in full: the slow and plain way to say what the protocol
/// makes of a mutation.
struct RecordOracle {
    struct State {
        var version: RecordVersion
        var object: JSONObject?
    }

    /// Every state, the oldest first; empty for a record that never was.
    var states: [State] = []
    /// The versions that are not known any more, though the record was there.
    var isPurged = false

    var current: State? { isPurged ? nil : states.last }

    mutating func set(_ version: RecordVersion, _ object: JSONObject?) {
        if isPurged {
            states = []
            isPurged = false
        }
        states.append(State(version: version, object: object))
    }

    /// The status that a mutation has to get, where `head` is the newest version that was ever given.
    func status(of operation: PushOperation, head: RecordVersion) -> PushResult.Status {
        switch operation.kind {
        case .put: putStatus(operation)
        case .patch: patchStatus(operation, head)
        case .delete: deleteStatus(operation)
        case .delta: current?.object == nil ? .conflict : .applied
        case .action: .rejected
        }
    }

    private func putStatus(_ operation: PushOperation) -> PushResult.Status {
        guard let current else { return operation.base == nil ? .applied : .conflict }
        if current.object == operation.fields { return .noop }
        return current.version == operation.base || operation.force == .record
            ? .applied : .conflict
    }

    private func deleteStatus(_ operation: PushOperation) -> PushResult.Status {
        guard let current, current.object != nil else { return .noop }
        return current.version == operation.base || operation.force == .record
            ? .applied : .conflict
    }

    private func patchStatus(
        _ operation: PushOperation,
        _ head: RecordVersion
    ) -> PushResult.Status {
        guard let current, let object = current.object, let base = operation.base else {
            return .conflict
        }
        let patched = object.patched(set: operation.fields, unset: operation.unset)
        if patched == object { return .noop }
        if current.version == base { return .applied }
        let names = Set(operation.fields.map(\.name) + operation.unset)
        let isFree = names.allSatisfy { name in
            isForced(name, operation)
                || operation.merge == .fields && base <= head
                    && (patched[name] == object[name] || !wasWritten(name, since: base))
        }
        return isFree ? .merged : .conflict
    }

    private func isForced(_ name: String, _ operation: PushOperation) -> Bool {
        switch operation.force {
        case .nothing: false
        case .record: true
        case .fields(let names): names.contains(name)
        }
    }

    /// Which fields each write said something about, by its version; `nil` for all.
    var written: [RecordVersion: Set<String>?] = [:]

    private func wasWritten(_ name: String, since base: RecordVersion) -> Bool {
        states.contains { state in
            guard state.version > base else { return false }
            guard case .some(.some(let names)) = written[state.version] else { return true }
            return names.contains(name)
        }
    }
}
