import Holdfast
import HoldfastSync

/// One mutation, said in the words of an API.
///
/// Each request has a condition, so that it has one effect however often it is sent: a second one
/// finds another version, and what stands there tells whether the first one arrived.
struct RESTMutation {
    let line: RESTLine
    let operation: PushOperation

    private var record: RecordReference { operation.record }
    private var key: String { operation.key.text }

    /// What became of it.
    ///
    /// - Throws: `TransportFailure`; whether the API has done it is unknown then.
    func result() async throws(TransportFailure) -> PushResult {
        if let problem = unsupported { return rejected(problem) }
        if let refusal = try await storeLedger() { return refusal }
        switch operation.kind {
        case .put: return try await put()
        case .patch: return try await patch()
        case .delete: return try await delete()
        case .delta, .action: return rejected(.invalid("The API has no word for this change."))
        }
    }

    private var unsupported: SyncProblem? {
        if operation.group != nil {
            return .invalid("The API cannot apply several changes together or not at all.")
        }
        // A path with such a part leads elsewhere.
        if line.api.path(record).contains(where: { ["", ".", ".."].contains($0) }) {
            return .invalid("The record's id cannot be a part of a path.")
        }
        return nil
    }

    // MARK: Put

    private func put() async throws(TransportFailure) -> PushResult {
        let object = operation.fields
        if operation.force != .nothing { return try await overwrite { _ in object } }
        let condition: RESTLine.Condition = operation.base.map { .version($0) } ?? .absent
        let response = try await write(object, condition, key)
        if (200..<300).contains(response.status) { return try await applied(object, response) }
        if !response.isAboutTheState(of: operation) { return rejected(line.problem(response)) }
        switch try await line.current(record) {
        case .absent:
            return operation.base == nil ? rejected(line.problem(response)) : purged
        case .unknown(let problem): return rejected(problem)
        case .present(let current, let version):
            // What an API adds to a new record changes nothing of what was sent.
            let isDone = operation.base == nil ? current.contains(object) : current == object
            if isDone { return noop(version, current == object ? nil : current) }
            return conflict(current, version, response)
        }
    }

    /// Writes what a mutation makes of the state that stands, whichever that is, where it is forced
    /// to.
    private func overwrite(
        _ change: (JSONObject?) -> JSONObject
    ) async throws(TransportFailure) -> PushResult {
        switch try await line.current(record) {
        case .absent:
            guard operation.kind == .put else { return purged }
            return try await replace(nil, RecordVersion(0), with: change(nil))
        case .unknown(let problem): return rejected(problem)
        case .present(let current, let version):
            return try await replace(current, version, with: change(current))
        }
    }

    /// Writes a record on the state that was read.
    private func replace(
        _ current: JSONObject?,
        _ version: RecordVersion,
        with object: JSONObject
    ) async throws(TransportFailure) -> PushResult {
        if current == object { return noop(version, current) }
        let isForced = operation.covers(from: current, to: object)
        guard version == operation.base || isForced || current == nil else {
            return conflict(current, version)
        }
        let condition: RESTLine.Condition = current == nil ? .absent : .version(version)
        // Another state makes another request of it.
        let response = try await write(object, condition, "\(key)-\(version)")
        if (200..<300).contains(response.status) {
            return try await applied(object, response, isMerged: version != operation.base)
        }
        if !response.isAboutTheState(of: operation) { return rejected(line.problem(response)) }
        return try await standing(against: response)
    }

    private func write(
        _ object: JSONObject,
        _ condition: RESTLine.Condition,
        _ key: String
    ) async throws(TransportFailure) -> RESTResponse {
        try await line.act("PUT", on: record, condition, key: key, body: line.api.body(object))
    }

    // MARK: Patch

    private func patch() async throws(TransportFailure) -> PushResult {
        if operation.fields.isEmpty, operation.unset.isEmpty {
            return try await ledgerAlone()
        }
        if line.api.edits == .mergePatch, operation.force == .nothing,
            let base = operation.base, let patch = operation.mergePatch
        {
            return try await mergePatch(patch, base)
        }
        return try await overwrite { operation.applied(to: $0 ?? [:]) }
    }

    private func mergePatch(
        _ patch: JSONObject,
        _ base: RecordVersion
    ) async throws(TransportFailure) -> PushResult {
        let response = try await line.act(
            "PATCH",
            on: record,
            .version(base),
            key: key,
            body: patch,
            type: "application/merge-patch+json"
        )
        if (200..<300).contains(response.status) { return try await applied(nil, response) }
        if !response.isAboutTheState(of: operation) { return rejected(line.problem(response)) }
        return try await standing(against: response)
    }

    /// What says nothing but what was discarded changes nothing of the record.
    private func ledgerAlone() async throws(TransportFailure) -> PushResult {
        if let base = operation.base { return noop(base, nil) }
        switch try await line.current(record) {
        case .absent: return noop(nil, nil)
        case .unknown(let problem): return rejected(problem)
        case .present(let current, let version): return noop(version, current)
        }
    }

    // MARK: Delete

    private func delete() async throws(TransportFailure) -> PushResult {
        if operation.force == .nothing, let base = operation.base {
            return try await delete(base)
        }
        switch try await line.current(record) {
        case .absent: return noop(nil, nil)
        case .unknown(let problem): return rejected(problem)
        case .present(let current, let version):
            guard operation.force == .record else { return conflict(current, version) }
            return try await delete(version)
        }
    }

    private func delete(_ version: RecordVersion) async throws(TransportFailure) -> PushResult {
        let response = try await line.act("DELETE", on: record, .version(version), key: key)
        switch response.status {
        case 200..<300:
            // Whatever comes later is newer than the state that is gone.
            return PushResult(
                key: operation.key,
                status: .applied,
                version: RecordVersion(version.number &+ 1),
                isTombstone: true,
                scope: scope
            )
        case 404, 410: return noop(nil, nil)
        case 409, 412, 428:
            switch try await line.current(record) {
            case .absent: return noop(nil, nil)
            case .unknown(let problem): return rejected(problem)
            case .present(let current, let found): return conflict(current, found, response)
            }
        default: return rejected(line.problem(response))
        }
    }

    // MARK: What it came to

    /// The API has written it: what it names, or else what it has, is the new state.
    ///
    /// - Parameters:
    ///   - object: The record as it was sent; `nil` where only changes of it were.
    ///   - response: The answer.
    ///   - isMerged: Whether it was written on another state than the mutation was made on.
    /// - Returns: The result.
    /// - Throws: `TransportFailure`.
    private func applied(
        _ object: JSONObject?,
        _ response: RESTResponse,
        isMerged: Bool = false
    ) async throws(TransportFailure) -> PushResult {
        var written = response.body.flatMap(line.api.record) ?? object
        var named = line.api.versions.read(response)
        var isMerged = isMerged
        if named == nil || written == nil {
            switch try await line.current(record) {
            case .absent: return purged
            case .unknown(let problem): return rejected(problem)
            case .present(let current, let version):
                isMerged = isMerged || object.map { !current.contains($0) } ?? true
                (written, named) = (current, version)
            }
        }
        guard let version = named, version > operation.base ?? RecordVersion(0) else {
            return rejected(.invalid("The API gave the record no new version."))
        }
        return PushResult(
            key: operation.key,
            status: isMerged ? .merged : .applied,
            version: version,
            record: isMerged || written != object ? written : nil,
            scope: scope
        )
    }

    /// The condition did not hold: either the mutation was done before, or another edit was.
    private func standing(
        against response: RESTResponse
    ) async throws(TransportFailure) -> PushResult {
        switch try await line.current(record) {
        case .absent: return purged
        case .unknown(let problem): return rejected(problem)
        case .present(let current, let version):
            let wanted = operation.kind == .put ? operation.fields : operation.applied(to: current)
            if current == wanted { return noop(version, current) }
            return conflict(current, version, response)
        }
    }

    /// What stands against it; where that is the very state that it was made on, the API has another
    /// reason.
    private func conflict(
        _ current: JSONObject?,
        _ version: RecordVersion,
        _ response: RESTResponse? = nil
    ) -> PushResult {
        if version == operation.base, let response { return rejected(line.problem(response)) }
        return PushResult(
            key: operation.key,
            status: .conflict,
            version: version,
            record: current,
            scope: scope
        )
    }

    private func noop(_ version: RecordVersion?, _ current: JSONObject?) -> PushResult {
        PushResult(
            key: operation.key,
            status: .noop,
            version: version,
            record: current,
            scope: version == nil ? nil : scope
        )
    }

    private func rejected(_ problem: SyncProblem) -> PushResult {
        PushResult(key: operation.key, status: .rejected, problem: problem)
    }

    private var purged: PushResult {
        PushResult(
            key: operation.key,
            status: .conflict,
            problem: SyncProblem(
                type: ProblemType.purged,
                detail: "The record is not there any more."
            )
        )
    }

    /// The scope that a record is in, where there is but one.
    private var scope: ScopeName? { line.api.scopes.count == 1 ? line.api.scopes[0] : nil }

    // MARK: Ledger

    /// Keeps what the mutation discards, before it does.
    ///
    /// Without a key: the same decision may be told once more in other words.
    ///
    /// - Returns: The result, where an entry is refused.
    private func storeLedger() async throws(TransportFailure) -> PushResult? {
        guard line.api.keepsLedger else { return nil }
        for entry in operation.ledger {
            let response = try await line.act(
                "PUT",
                on: RecordReference(LedgerEntry.table, entry.id),
                .absent,
                body: line.api.body(entry.json)
            )
            // One that is there already is the same decision.
            let isKept =
                (200..<300).contains(response.status) || [409, 412].contains(response.status)
            if !isKept { return rejected(line.problem(response)) }
        }
        return nil
    }
}

extension RESTResponse {
    /// Whether a refusal is about the state that the mutation was made on.
    fileprivate func isAboutTheState(of operation: PushOperation) -> Bool {
        switch status {
        case 409, 412, 428: true
        case 404, 410: operation.base != nil || operation.kind == .patch
        default: false
        }
    }
}

extension SyncProblem {
    fileprivate static func invalid(_ detail: String) -> Self {
        Self(type: ProblemType.invalid, detail: detail)
    }
}

extension PushOperation {
    /// The record with the changes of a patch.
    fileprivate func applied(to object: JSONObject) -> JSONObject {
        var object = object
        for (name, value) in fields { object[name] = value }
        for name in unset { object[name] = nil }
        return object
    }

    /// The patch in the words of RFC 7396; `nil` where these would say something else.
    fileprivate var mergePatch: JSONObject? {
        var patch = fields
        for (_, value) in fields where value == .null || value.objectValue != nil { return nil }
        for name in unset { patch[name] = .null }
        return patch
    }

    /// Whether each field that would change is written whatever the base.
    fileprivate func covers(from current: JSONObject?, to object: JSONObject) -> Bool {
        switch force {
        case .nothing: return false
        case .record: return true
        case .fields(let names):
            guard let current else { return false }
            let all = Set(current.map(\.name) + object.map(\.name))
            return all.allSatisfy { names.contains($0) || current[$0] == object[$0] }
        }
    }
}

extension JSONObject {
    /// Whether it has all fields of another one, with the same values.
    fileprivate func contains(_ other: JSONObject) -> Bool {
        other.allSatisfy { self[$0.name] == $0.value }
    }
}
