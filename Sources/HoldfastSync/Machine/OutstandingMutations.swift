import Holdfast

/// The mutations that were sent and are not confirmed, found by record: those of the outbox whose
/// outcome is unknown, and those that were acknowledged.
struct OutstandingMutations: Sendable {
    private(set) var byRecord: [RecordReference: [OutstandingMutation]] = [:]
    /// The numbers of each client, for what has been finished.
    private var sequences: [ClientID: Set<Int64>] = [:]

    init() {}

    /// Those that are stored.
    init(_ transaction: borrowing ReadTransaction) throws {
        try transaction.scanAcknowledged { mutation in
            add(mutation)
            return true
        }
        try transaction.scanMutations { mutation in
            if let sent = OutstandingMutation(mutation) { add(sent) }
            return true
        }
    }

    /// Whether everything that was sent is confirmed.
    var isEmpty: Bool { byRecord.isEmpty }

    /// Those of a record.
    subscript(record: RecordReference) -> [OutstandingMutation] { byRecord[record] ?? [] }

    /// Those that were acknowledged, and whose effect no pull has brought yet.
    var acknowledged: [OutstandingMutation] {
        byRecord.values.joined().filter { $0.acknowledged != nil }
            .sorted { $0.sequence < $1.sequence }
    }

    mutating func add(_ mutation: OutstandingMutation) {
        Self.add(mutation, to: &byRecord[mutation.record, default: []])
        sequences[mutation.client, default: []].insert(mutation.sequence)
    }

    private static func add(
        _ mutation: OutstandingMutation,
        to known: inout [OutstandingMutation]
    ) {
        if let place = known.firstIndex(where: { $0.sequence == mutation.sequence }) {
            known[place] = mutation
        } else {
            known.append(mutation)
        }
    }

    mutating func remove(_ mutation: OutstandingMutation) {
        sequences[mutation.client]?.remove(mutation.sequence)
        guard let known = byRecord[mutation.record] else { return }
        let others = known.filter { $0.sequence != mutation.sequence }
        byRecord[mutation.record] = others.isEmpty ? nil : others
    }

    /// Those whose outcome is awaited and that are still in the outbox, and those that were
    /// acknowledged: what was given up may have been dropped with its record.
    func withoutDropped(_ transaction: borrowing ReadTransaction) throws -> Self {
        var remaining = self
        for (record, awaited) in byRecord where awaited.contains(where: { $0.acknowledged == nil })
        {
            let state = try transaction.syncRecord(record)
            let keys = try state.map { try transaction.mutations(of: $0).map(\.key) } ?? []
            for mutation in awaited
            where mutation.acknowledged == nil && !keys.contains(mutation.key) {
                remaining.remove(mutation)
            }
        }
        return remaining
    }

    /// The greatest number below which everything that a client sent is finished.
    func finishedThrough(of client: ClientID, next: Int64) -> Int64 {
        (sequences[client]?.min() ?? next) - 1
    }
}
