import HoldfastStorage

/// Who observes which table, and the task that tells them: the pure part of ``StoreObservation``.
struct ObserverRegistry {
    /// A task that has to be started.
    struct Run {
        let number: UInt64
        let start: SequenceNumber
    }

    private var observers: [TableName: [ObjectIdentifier: any CommitObserver]] = [:]
    private var lastRun: UInt64 = 0
    private(set) var isRunning = false
    private var task: Task<Void, Never>?

    var count: Int { observers.values.reduce(0) { $0 + $1.count } }

    var all: [any CommitObserver] { observers.values.flatMap(\.values) }

    /// The tables that someone observes.
    var tables: Set<TableName> { Set(observers.keys) }

    func observers(of table: TableName) -> [any CommitObserver] {
        observers[table].map { Array($0.values) } ?? []
    }

    /// - Returns: The task to start, when there is none.
    mutating func add(
        _ observer: any CommitObserver,
        from start: () throws -> SequenceNumber
    ) rethrows -> Run? {
        if isRunning {
            observers[observer.table, default: [:]][ObjectIdentifier(observer)] = observer
            return nil
        }
        let run = Run(number: lastRun + 1, start: try start())
        observers[observer.table, default: [:]][ObjectIdentifier(observer)] = observer
        lastRun = run.number
        isRunning = true
        return run
    }

    /// - Returns: Whether the task is still wanted.
    mutating func started(_ task: Task<Void, Never>, _ run: UInt64) -> Bool {
        guard isRunning, run == lastRun else { return false }
        self.task = task
        return true
    }

    /// - Returns: The task to cancel, when nobody is left.
    mutating func remove(_ observer: any CommitObserver) -> Task<Void, Never>? {
        observers[observer.table]?[ObjectIdentifier(observer)] = nil
        if observers[observer.table]?.isEmpty == true { observers[observer.table] = nil }
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
