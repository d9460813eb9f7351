import HoldfastStorage
import Synchronization

/// One observation: its state, and the consumer that waits.
final class QueryObserver<Row: Sendable>: CommitObserver {
    private struct Locked: ~Copyable {
        var state: ObserverState<Row>
        var waiter: CheckedContinuation<Void, Never>?

        /// The consumer, if it waits and has something to do.
        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            if state.isAtRest { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    private let table: TableName
    private let evaluation: QueryEvaluation<Row>
    private let locked: Mutex<Locked>

    init(_ evaluation: QueryEvaluation<Row>) {
        table = evaluation.query.table
        self.evaluation = evaluation
        locked = Mutex(Locked(state: ObserverState(of: evaluation)))
    }

    var tables: Set<TableName> { [table] }

    func begin(at snapshot: any StorageSnapshot) { update { $0.begin(at: snapshot) } }

    func note(_ changes: TableChanges, upTo snapshot: any StorageSnapshot) {
        update { $0.note(changes[table], upTo: snapshot) }
    }

    func noteAll(upTo snapshot: any StorageSnapshot) { update { $0.noteAll(upTo: snapshot) } }

    func end(_ error: any Error) { update { $0.end(error) } }

    private func update(_ change: (inout ObserverState<Row>) -> Void) {
        let waiter = locked.withLock { locked in
            change(&locked.state)
            return locked.takeWaiter()
        }
        waiter?.resume()
    }

    /// The result, once it is another one than the last that this returned.
    ///
    /// - Throws: `CancellationError`, after which it can be asked again; anything else is the end.
    func next() async throws -> [Row] {
        while true {
            try Task.checkCancellation()
            if let rows = try evaluate() { return rows }
            await wait()
        }
    }

    /// Brings the result up to date.
    ///
    /// - Returns: The result, if there was something to do and it has changed.
    private func evaluate() throws -> [Row]? {
        switch locked.withLock({ $0.state.next() }) {
        case .fail(let error): throw error
        case .wait: return nil
        case .evaluate(var window, let changed, let snapshot):
            do {
                let rows = try evaluation.update(&window, with: changed, in: snapshot)
                give(back: window)
                return rows
            } catch {
                end(error)
                throw error
            }
        }
    }

    private func give(back window: consuming QueryWindow<Row>) {
        var window = Optional(window)
        locked.withLock { locked in
            if let taken = window.take() { locked.state.finish(taken) }
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = locked.withLock { locked in
                    precondition(
                        locked.waiter == nil,
                        "an iterator of values serves one task at a time"
                    )
                    // A task is marked as cancelled before its handler comes for the lock.
                    if !locked.state.isAtRest || Task.isCancelled { return true }
                    locked.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            locked.withLock { locked in
                defer { locked.waiter = nil }
                return locked.waiter
            }?.resume()
        }
    }
}
