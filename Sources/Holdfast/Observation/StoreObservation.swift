import HoldfastStorage
import Synchronization

/// Tells a store's commits to those that observe its tables.
///
/// One task does it for as long as anyone observes: it waits for commits, reads what they changed,
/// and tells it to the observers of those tables. Writers do not know of it and never wait for it.
final class StoreObservation: Sendable {
    /// So many commits are read; further behind, everyone looks at everything again.
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

    /// Adds an observer, which begins at the newest snapshot.
    func add(_ observer: any CommitObserver) throws {
        // Under the lock: a task that does not find it there tells older commits than this
        // snapshot's.
        let run = try registry.withLock { registry in
            let snapshot = try storage.snapshot()
            observer.begin(at: snapshot)
            return registry.add(observer, at: snapshot.sequenceNumber)
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
                _ = try await storage.waitForCommit(after: last)
                let snapshot = try storage.snapshot()
                tell(after: last, upTo: snapshot)
                last = snapshot.sequenceNumber
            }
        } catch is CancellationError {
            return
        } catch {
            for observer in registry.withLock({ $0.end(run) }) {
                observer.end(StoreError.translating(error))
            }
        }
    }

    /// Tells the commits after a number, up to those of a snapshot, all at once.
    private func tell(after number: SequenceNumber, upTo snapshot: any StorageSnapshot) {
        let observers = registry.withLock { $0.all }
        let tables = observers.reduce(into: Set()) { $0.formUnion($1.tables) }
        guard let changes = changes(of: tables, after: number, upTo: snapshot.sequenceNumber) else {
            // What could not be read here is met, and named, by whoever looks.
            for observer in observers { observer.noteAll(upTo: snapshot) }
            return
        }
        for observer in observers { observer.note(changes, upTo: snapshot) }
    }

    /// What commits changed in some tables; `nil` where there is too much of it, or it cannot be
    /// read.
    private func changes(
        of tables: Set<TableName>,
        after number: SequenceNumber,
        upTo last: SequenceNumber
    ) -> TableChanges? {
        guard last.rawValue - number.rawValue <= Self.lag else { return nil }
        var changes = TableChanges(of: tables)
        var number = number
        while number < last {
            guard let commits = try? storage.changes(after: number, limit: Self.batch),
                let newest = commits.last
            else { return nil }
            for commit in commits where commit.sequenceNumber <= last { changes.append(commit) }
            if changes.isFull { return nil }
            number = newest.sequenceNumber
        }
        return changes
    }
}
