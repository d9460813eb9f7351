import HoldfastStorage

/// Who observes which table, and the task that tells them: the pure part of ``StoreObservation``.
struct ObserverRegistry {
    /// A task that has to be started.
    struct Run {
        let number: UInt64
        let start: SequenceNumber
    }

    private var observers: [ObjectIdentifier: any CommitObserver] = [:]
    private var lastRun: UInt64 = 0
    private(set) var isRunning = false
    private var task: Task<Void, Never>?

    var count: Int { observers.count }

    var all: [any CommitObserver] { Array(observers.values) }

    /// - Returns: The task to start, when there is none.
    mutating func add(_ observer: any CommitObserver, at number: SequenceNumber) -> Run? {
        observers[ObjectIdentifier(observer)] = observer
        if isRunning { return nil }
        lastRun += 1
        isRunning = true
        return Run(number: lastRun, start: number)
    }

    /// - Returns: Whether the task is still wanted.
    mutating func started(_ task: Task<Void, Never>, _ run: UInt64) -> Bool {
        guard isRunning, run == lastRun else { return false }
        self.task = task
        return true
    }

    /// - Returns: The task to cancel, when nobody is left.
    mutating func remove(_ observer: any CommitObserver) -> Task<Void, Never>? {
        guard observers.removeValue(forKey: ObjectIdentifier(observer)) != nil else { return nil }
        return observers.isEmpty ? stop() : nil
    }

    /// Takes note that a task has ended by itself.
    ///
    /// - Returns: Those that it told commits.
    mutating func end(_ run: UInt64) -> [any CommitObserver] {
        guard isRunning, run == lastRun else { return [] }
        defer { observers = [:] }
        _ = stop()
        return all
    }

    private mutating func stop() -> Task<Void, Never>? {
        defer { task = nil }
        isRunning = false
        return task
    }
}
