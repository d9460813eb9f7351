import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// One history of two replicas that edit one record twice each.
struct SmallWorldRun: CustomStringConvertible {
    /// What a replica does to the record.
    enum Edit { case field, otherField, delete, count }

    /// What becomes of a push.
    enum Fault: CaseIterable {
        case none
        case requestLost
        case answerLost
        case doubled
        /// The app is killed after it has frozen what it sends, before any of it arrives.
        case killedBefore
        /// The app is killed after the request had its effect.
        case killedAfter
        /// The request arrives only after everything else that happens.
        case late
    }

    /// Who does the next step; each has four: edit, send, edit, send.
    let order: [Int]
    /// The faults of the four sendings, in the order of the history.
    let faults: [Fault]
    /// The two edits of each replica.
    let edits: [[Edit]]

    var description: String { "\(order) \(faults) \(edits)" }

    /// Every order in which the first replica begins.
    static let orders: [[Int]] = (0..<256).map { bits in (0..<8).map { bits >> $0 & 1 } }
        .filter { $0.reduce(0, +) == 4 && $0[0] == 0 }

    /// No fault, or one, at each place.
    static let singleFaults: [[Fault]] = {
        let none = [Fault](repeating: .none, count: 4)
        return [none]
            + (0..<4).flatMap { place in
                Fault.allCases.dropFirst().map { fault in
                    var faults = none
                    faults[place] = fault
                    return faults
                }
            }
    }()

    func run() async throws {
        var history = SmallWorldHistory()
        let world = try await ScenarioWorld(codesMessages: false)
        try await world.serverPut(["id": "a", "x": "start", "votes": 0])
        let replicas = [try await world.syncedReplica(), try await world.syncedReplica()]
        var steps = [0, 0]
        var sendings = 0
        var late: [(Replica, SyncMachine.Outgoing)] = []
        for editor in order {
            let replica = replicas[editor]
            if steps[editor].isMultiple(of: 2) {
                let number = steps[editor] / 2
                let name = "\(["A", "B"][editor])\(number + 1)"
                try await history.apply(edits[editor][number], name, to: replica)
            } else {
                let fault = faults[sendings]
                sendings += 1
                if let outgoing = try await send(replica, fault) {
                    late.append((replica, outgoing))
                }
            }
            steps[editor] += 1
        }
        for (replica, outgoing) in late { _ = await replica.arrive(outgoing) }
        for replica in replicas + replicas { try await replica.sync() }
        try check(history, world, replicas)
    }

    private func send(_ replica: Replica, _ fault: Fault) async throws -> SyncMachine.Outgoing? {
        // An edit that came to nothing has nothing to send.
        guard try replica.mutations.contains(where: { !$0.needsAttention }) else { return nil }
        try await replica.hold(.push)
        var late: SyncMachine.Outgoing?
        switch fault {
        case .none: try await replica.resolve(.push)
        case .requestLost: try await replica.resolve(.push, .requestLost)
        case .answerLost: try await replica.resolve(.push, .answerLost)
        case .doubled: try await replica.resolve(.push, .doubled)
        case .killedBefore: try await replica.restart()
        case .killedAfter:
            _ = await replica.arrive(try replica.take(.push))
            try await replica.restart()
        case .late:
            let outgoing = try replica.take(.push)
            try await replica.answer(outgoing, .failure(TransportFailure(.timedOut)))
            late = outgoing
        }
        while let kind = replica.held.first(where: { $0.request.kind != .push })?.request.kind {
            try await replica.resolve(kind)
        }
        return late
    }

    private func check(
        _ history: SmallWorldHistory,
        _ world: ScenarioWorld,
        _ replicas: [Replica]
    ) throws {
        let final = try world.record("a")
        for replica in replicas {
            #expect(try replica.get("a") == final, "\(self)")
            #expect(try replica.ledger == world.ledger, "\(self)")
            #expect(try replica.status.isSynced, "\(self)")
        }
        for value in try history.lost(final, world.ledger) {
            Issue.record("\(value) vanished: \(self)")
        }
        if let final {
            #expect(final["votes"] == .integer(history.votes), "\(self)")
        }
    }
}

/// What was edited, and what each edit had seen.
struct SmallWorldHistory {
    private(set) var votes: Int64 = 0
    /// Every edit of a field, as field and value, with what was there when it was made.
    private var edits: [(field: String, value: String, seen: JSONValue?)] = []
    /// What deletions had seen.
    private var deleted: [JSONObject] = []

    mutating func apply(
        _ edit: SmallWorldRun.Edit,
        _ name: String,
        to replica: Replica
    ) async throws {
        let record = try replica.get("a")
        switch edit {
        case .field: try await set("x", name, record, replica)
        case .otherField: try await set("y", name, record, replica)
        case .delete:
            if let record { deleted.append(record) }
            try await replica.delete("a")
        case .count:
            guard record != nil else { return }
            votes += 1
            try await replica.write { try $0.increment("votes", of: "a", in: "notes", by: 1) }
        }
    }

    private mutating func set(
        _ field: String,
        _ name: String,
        _ record: JSONObject?,
        _ replica: Replica
    ) async throws {
        edits.append((field, name, record?[field]))
        var object = record ?? ["id": "a", "votes": 0]
        object[field] = .string(name)
        let written = object
        try await replica.write { try $0.put(written, in: "notes") }
    }

    /// The edits that are neither kept, nor overwritten by one that had seen them, nor in the
    /// ledger.
    func lost(_ final: JSONObject?, _ ledger: [LedgerEntry]) -> [String] {
        var kept: [JSONObject] = [final].compactMap(\.self)
        if final == nil { kept += deleted }
        for entry in ledger {
            if let field = entry.field, let value = entry.discarded { kept.append([field: value]) }
            if entry.field == nil, case .object(let object)? = entry.discarded {
                kept.append(object)
            }
        }
        // Whatever a deletion had seen was deleted knowingly, by whoever put the record again.
        kept += deleted
        var reached: Set<String> = []
        for field in ["x", "y"] {
            var values = kept.compactMap { $0[field] }
            while case let value? = values.popLast() {
                guard case .string(let text) = value, reached.insert(text).inserted else {
                    continue
                }
                values += edits.filter { $0.field == field && $0.value == text }
                    .compactMap(\.seen)
            }
        }
        return edits.map(\.value).filter { !reached.contains($0) }
    }
}
