package import Holdfast
import HoldfastStorage

/// Somebody who looks at the last records of a table: is told what commits have changed, as an app's
/// views are, and brings up to date what is shown from that alone.
package final class SimulatedWatcher {
    /// So few are shown that records come from behind when one of them goes.
    private static let limit = 8

    package let table: TableName
    private let query: Query<JSONObject>
    private let prefix: [UInt8]
    private let evaluation: QueryEvaluation<JSONObject>
    private var state: ObserverState<JSONObject>
    private var told: SequenceNumber
    private var rows: [JSONObject] = []

    /// Begins to look at a table of a store.
    ///
    /// - Throws: `StoreError`.
    package init(of table: Table, in store: Store) throws {
        self.table = table.name
        query = Query(table.name).order(by: table.idField, .descending).limit(Self.limit)
        prefix = Array(table.name.text.utf8) + [0]
        evaluation = try QueryEvaluation(of: query, .object)
        state = ObserverState(of: evaluation)
        let snapshot = try store.storage.snapshot()
        told = snapshot.sequenceNumber
        state.begin(at: snapshot)
        try evaluate()
    }

    /// Takes in what has been committed since.
    package func catchUp(_ store: Store) throws {
        let snapshot = try store.storage.snapshot()
        guard snapshot.sequenceNumber > told else { return }
        do {
            let commits = try store.storage.changes(after: told, limit: .max)
            let changes = commits.lazy.filter { $0.sequenceNumber <= snapshot.sequenceNumber }
                .flatMap(\.changes).filter { $0.key.starts(with: self.prefix) }
            state.note(Array(changes), upTo: snapshot)
        } catch  where error.code == .changesCompacted {
            state.noteAll(upTo: snapshot)
        }
        told = snapshot.sequenceNumber
        try evaluate()
    }

    /// Whether what is shown is what a query gives.
    package func isCurrent(in transaction: borrowing ReadTransaction) throws -> Bool {
        try transaction.fetch(query) == rows
    }

    private func evaluate() throws {
        switch state.next() {
        case .evaluate(var window, let changed, let snapshot):
            if let rows = try evaluation.update(&window, with: changed, in: snapshot) {
                self.rows = rows
            }
            state.finish(window)
        case .wait: return
        case .fail(let error): throw error
        }
    }
}
