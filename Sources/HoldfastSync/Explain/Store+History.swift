import Holdfast
import HoldfastStorage

extension Store {
    /// What became of a record: the commits that the journal still has, what waits, and what was
    /// decided.
    ///
    /// - Complexity: O(commits that the journal has).
    package func history(of record: RecordReference, _ tables: SyncedTables) throws -> RecordHistory
    {
        var events: [RecordHistory.Event] = []
        var number = SequenceNumber.zero
        while true {
            let page: [StoreCommit]
            do {
                page = try commits(after: number)
            } catch let error as StoreError where error.code == .changesCompacted {
                // What was compacted is forgotten; the history begins behind it.
                guard let floor = try firstKept(after: number) else { break }
                number = floor
                continue
            }
            guard let last = page.last else { break }
            number = last.sequenceNumber
            for commit in page {
                for change in commit.changes
                where change.table == record.table && change.id == record.id {
                    events.append(
                        RecordHistory.Event(
                            sequenceNumber: commit.sequenceNumber,
                            record: change.record
                        )
                    )
                }
            }
        }
        return try read { transaction in
            let state = try transaction.syncRecord(record)
            let mutations = try state.map { try transaction.mutations(of: $0) } ?? []
            return RecordHistory(
                events: events,
                status: try transaction.recordStatus(record) {
                    try transaction.blockers(of: $0, tables)
                },
                baseVersion: state.flatMap { $0.version.number > 0 ? $0.version : nil },
                waiting: mutations.map(\.summary),
                decisions: try transaction.decisions(about: record)
            )
        }
    }

    /// The last number that the feed no longer has, by halving.
    private func firstKept(after number: SequenceNumber) throws -> SequenceNumber? {
        var (low, high) = (number.rawValue, try sequenceNumber.rawValue)
        guard low < high else { return nil }
        while low + 1 < high {
            let middle = low + (high - low) / 2
            do {
                _ = try commits(after: SequenceNumber(middle), limit: 1)
                high = middle
            } catch let error as StoreError where error.code == .changesCompacted {
                low = middle
            }
        }
        return SequenceNumber(high)
    }
}

extension ReadTransaction {
    /// What the ledger says about a record.
    ///
    /// - Complexity: O(entries of the ledger).
    package func decisions(about record: RecordReference) throws -> [LedgerEntry] {
        let query = Query(LedgerEntry.table).where("record", .equals, .string(record.id.text))
        return try fetch(query).compactMap { try? LedgerEntry(json: $0) }
            .filter { $0.record == record }
    }
}

extension Mutation {
    /// What it does, for a person, without the values.
    package var summary: String {
        let stage =
            switch state {
            case .queued: "waits"
            case .sent(_, let sequence, _): "sent as number \(sequence), no answer yet"
            case .attention(let problem): "refused: \(problem.detail)"
            }
        let fields = writtenFields.map(\.name).sorted().joined(separator: ", ")
        let verb =
            switch change {
            case .put: "put"
            case .patch(_, let unset):
                unset.isEmpty
                    ? "patch of \(fields)"
                    : "patch of \(fields) without \(unset.sorted().joined(separator: ", "))"
            case .delete: "delete"
            case .delta(let steps): "delta of \(steps.map(\.name).sorted().joined(separator: ", "))"
            case .action(let name, _, _, _): "action \(name)"
            }
        return "\(verb), \(stage)"
    }
}
