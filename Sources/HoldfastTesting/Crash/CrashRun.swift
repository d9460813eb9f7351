import HoldfastStorage

/// A workload in progress on a simulated disk, with its history.
struct CrashRun: Sendable {
    let subject: CrashSubject
    let disk: SimulatedDisk
    private(set) var history: CrashHistory
    private(set) var storage: any Storage
    /// What the store held when it was opened.
    let found: Observation
    private var scheduler: HeldScheduler
    /// The errors that commits threw.
    private(set) var failures: [StorageError] = []
    /// A failed sync may take back what the cache showed.
    var cacheMayRevert = false
    /// A failed sync has ended all writing until the store is opened again.
    private var isPoisoned = false
    private var valueCount: UInt64 = 0
    private var sessionCount: UInt64 = 1
    private let seed: UInt64

    /// Opens the store on a disk.
    ///
    /// - Throws: What opening throws.
    init(_ subject: CrashSubject, on disk: SimulatedDisk, seed: UInt64) async throws {
        self.subject = subject
        self.disk = disk
        self.seed = seed
        // A run that follows a crash brings new values.
        valueCount = (seed >> 48) << 32
        scheduler = HeldScheduler()
        storage = try await subject.open(disk, scheduler, seed)
        found = try Observation(of: storage)
        history = CrashHistory(found)
    }

    /// Does one step; a commit that fails is part of the history.
    ///
    /// - Throws: What opening again throws, or ``CrashViolation``.
    mutating func perform(_ operation: CrashOperation) async throws {
        switch operation {
        case .commit(let writes, let durability):
            try await commit(writes, durability)
        case .wait(let time):
            await scheduler.run(for: time)
            if time >= .seconds(1), disk.counters.faults == 0 { settle() }
        case .reopen:
            try await reopen()
        case .action(let name):
            try await act(name)
        }
    }

    private mutating func act(_ name: String) async throws {
        guard let action = subject.actions[name] else {
            throw CrashViolation("The engine cannot do '\(name)'.")
        }
        do {
            try await action(storage)
        } catch let error as StorageError where disk.counters.faults > 0 || isPoisoned {
            failures.append(error)
        }
    }

    /// Closes the store and opens it again; where closing fails, what is found has to be allowed.
    private mutating func reopen() async throws {
        var isClosed = true
        do {
            try await storage.close()
            settle()
        } catch is StorageError {
            isClosed = false
        }
        if try await !open() {
            disk.removeFaults()
            _ = try await open()
        }
        guard !isClosed else { return }
        // What is asked of it now is the observer's doing, not the workload's.
        disk.removeFaults()
        try resolve()
    }

    /// - Returns: `false` when it failed and the disk was told to fail.
    private mutating func open() async throws -> Bool {
        sessionCount += 1
        isPoisoned = false
        scheduler = HeldScheduler()
        do {
            storage = try await subject.open(disk, scheduler, seed &+ sessionCount << 32)
            return true
        } catch let error as StorageError where disk.counters.faults > 0 {
            failures.append(error)
            return false
        }
    }

    /// Takes for granted, from now on, what the store was found to hold.
    private mutating func resolve() throws {
        let observation = try Observation(of: storage)
        try history.expectation(at: .max - 1)
            .check(observation, afterPowerLoss: cacheMayRevert)
        history = CrashHistory(observation)
    }

    private mutating func settle() { history.settle(at: disk.counters.mutations) }

    private mutating func commit(_ writes: [CrashWrite], _ durability: Durability) async throws {
        let changes = effective(writes)
        let before = try storage.snapshot().sequenceNumber
        if !changes.isEmpty { history.begin(changes, durability, at: disk.counters.mutations) }
        do {
            let number = try await storage.write(durability) { transaction in
                for change in changes { try transaction.apply(change) }
            }.sequenceNumber
            guard number.rawValue == before.rawValue + (changes.isEmpty ? 0 : 1) else {
                throw CrashViolation("A commit after \(before) got the number \(number).")
            }
            if !changes.isEmpty { history.end(.acknowledged, at: disk.counters.mutations) }
        } catch let error as StorageError {
            failures.append(error)
            if changes.isEmpty { return }
            let isUnknown = error.code == .outcomeUnknown && !isPoisoned
            history.end(isUnknown ? .unknown : .refused, at: disk.counters.mutations)
            isPoisoned = isPoisoned || isUnknown
        }
    }

    /// The changes that writes amount to: removing a key that is not there is none.
    private mutating func effective(_ writes: [CrashWrite]) -> [Change] {
        var state = history.current
        return writes.compactMap { write in
            valueCount += 1
            let change = write.change(valueCount)
            if change.value == nil, state[change.key] == nil { return nil }
            state = state.applying([change])
            return change
        }
    }
}

extension CrashRun {
    /// - Throws: ``CrashViolation`` unless the open store shows what was acknowledged, and no more.
    func checkWhatIsShown() throws {
        if cacheMayRevert { return }
        let observation = try Observation(of: storage)
        var expectation = history.expectation(at: .max - 1)
        expectation.excludePossible()
        try expectation.check(observation, afterPowerLoss: false)
    }

    /// - Throws: ``CrashViolation`` if the last commit failed, and no sync before it did.
    func checkThatWritesGoOn() throws {
        guard !isPoisoned, let last = history.lastOutcome, last != .acknowledged else { return }
        throw CrashViolation("A commit failed with the failure gone: \(failures.last as Any)")
    }
}

extension CrashWrite {
    fileprivate func change(_ number: UInt64) -> Change {
        switch self {
        case .delete(let key):
            return Change(key: [key], value: nil)
        case .put(let key, let length):
            // The number stands at both ends, the lowest byte first: a mixture is found out.
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            let filling = [UInt8](
                repeating: UInt8(truncatingIfNeeded: number),
                count: max(0, length - 8)
            )
            return Change(key: [key], value: bytes + filling)
        }
    }
}

extension StorageTransaction {
    fileprivate func apply(_ change: Change) throws(StorageError) {
        if let value = change.value {
            try put(unsafe value.span.bytes, for: unsafe change.key.span.bytes)
        } else {
            try delete(unsafe change.key.span.bytes)
        }
    }
}
