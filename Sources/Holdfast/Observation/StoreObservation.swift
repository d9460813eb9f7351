import HoldfastStorage
import Synchronization

/// Tells a store's commits to those that observe its tables.
///
/// One task does it for as long as anyone observes: it waits for commits, reads what they changed, and
/// tells it to the observers of those tables. Writers do not know of it and never wait for it.
final class StoreObservation: Sendable {
    /// So many commits are told change by change; further behind, everyone looks at everything again.
    private static let lag: UInt64 = 256
    /// So many are read at a time, since a commit may be large.
    private static let batch = 16

    private let storage: any Storage
    private let registry = Mutex(ObserverRegistry())

    init(_ storage: any Storage) { self.storage = storage }

    /// The number of observers.
    var count: Int { registry.withLock { $0.count } }

    /// Whether the task is there.
    var isRunning: Bool { registry.withLock { $0.isRunning } }

    /// Adds an observer: every commit that is not in the snapshots which it takes from now on is told
    /// to it.
    func add(_ observer: any CommitObserver) throws {
        let run = try registry.withLock { registry in
            try registry.add(observer) { try storage.snapshot().sequenceNumber }
        }
        guard let run else { return }
        let task = Task.detached { await self.tellCommits(after: run.start, run.number) }
        let isWanted = registry.withLock { $0.started(task, run.number) }
        if !isWanted { task.cancel() }
    }

    /// Removes an observer; with the last one the task ends.
    func remove(_ observer: any CommitObserver) {
        registry.withLock { $0.remove(observer) }?.cancel()
    }

    private func tellCommits(after start: SequenceNumber, _ run: UInt64) async {
        var last = start
        do {
            while true {
                let newest = try await storage.waitForCommit(after: last)
                tellCommits(after: last, through: newest)
                last = newest
            }
        } catch is CancellationError {
            return
        } catch {
            for observer in registry.withLock({ $0.end(run) }) {
                observer.end(StoreError.translating(error))
            }
        }
    }

    private func tellCommits(after number: SequenceNumber, through newest: SequenceNumber) {
        var number = number
        if newest.rawValue - number.rawValue <= Self.lag {
            while number < newest, let commits = commits(after: number), let last = commits.last {
                tell(commits)
                number = last.sequenceNumber
            }
        }
        if number >= newest { return }
        // What could not be read here is met, and named, by whoever looks.
        for observer in registry.withLock({ $0.all }) { observer.noteAll() }
    }

    private func commits(after number: SequenceNumber) -> [Commit]? {
        try? storage.changes(after: number, limit: Self.batch)
    }

    private func tell(_ commits: [Commit]) {
        let changes = TableChanges(of: registry.withLock { $0.tables }, in: commits).changes
        for (table, changes) in changes {
            for observer in registry.withLock({ $0.observers(of: table) }) {
                observer.note(changes)
            }
        }
    }
}
