import HoldfastStorage

/// One round of ``PowerTorture``.
struct PowerRound {
    private let subject: CrashSubject
    private var random: SplitMix64
    private var disk = SimulatedDisk()
    private var trail: [CrashStep] = []
    /// What the next opening may find.
    private var expectation = CrashExpectation(Observation())
    /// Whether the power was lost since a recovery was last completed.
    private var hadPowerLoss = false
    private(set) var tally = PowerTorture.Tally()

    init(_ subject: CrashSubject, _ random: SplitMix64) {
        self.subject = subject
        self.random = random
    }

    /// - Throws: ``CrashViolation``.
    mutating func run() async throws {
        do {
            for _ in 0...random.next(below: 9) { try await live() }
            try await end()
            tally.rounds = 1
        } catch let violation as CrashViolation {
            throw violation.following(trail)
        } catch let error as StorageError {
            throw CrashViolation("The store cannot be opened: \(error)").following(trail)
        }
    }

    /// Opens the store, works with it, and crashes it at a random call, which may come before the
    /// store is open.
    private mutating func live() async throws {
        let count = random.next(below: random.next(below: 16) == 0 ? 160 : 20)
        let operations = CrashOperation.random(
            count: count,
            seed: random.next(),
            actions: subject.actions.keys.sorted()
        )
        let isEarly = random.next(below: 3) == 0
        disk.takeImage(after: random.next(below: isEarly ? 14 : 14 + 4 * count))
        let seed = random.next()
        var run = try await open(seed: seed)
        if let image = disk.takenImage {
            if !trail.isEmpty { tally.crashedRecoveries += 1 }
            crash(image)
            return
        }
        recovered(run)
        trail.append(.workload(operations, seed: seed))
        for operation in operations where disk.takenImage == nil {
            try await run.perform(operation)
        }
        let image = disk.takenImage ?? disk.image()
        expectation = run.history.expectation(at: image.mutations)
        tally.acknowledged += expectation.last - run.found.last
        crash(image)
    }

    private mutating func open(seed: UInt64) async throws -> CrashRun {
        let run = try await CrashRun(subject, on: disk, seed: seed)
        try expectation.check(run.found, afterPowerLoss: hadPowerLoss)
        return run
    }

    /// From now on the store has to keep what it was found to hold.
    private mutating func recovered(_ run: CrashRun) {
        expectation = CrashExpectation(run.found)
        hadPowerLoss = false
    }

    private mutating func crash(_ image: DiskImage) {
        tally.states += 1
        if random.next(below: 4) == 0 {
            disk = image.afterKill()
            trail.append(.killed(before: image.nextCall))
        } else {
            let seed = random.next()
            disk = image.afterPowerLoss(seed: seed)
            hadPowerLoss = true
            trail.append(.powerLost(before: image.nextCall, seed: seed))
        }
    }

    /// Opens, closes and opens the store, and looks at its files in between.
    private mutating func end() async throws {
        let run = try await open(seed: random.next())
        recovered(run)
        try await run.storage.close()
        try subject.audit(disk)
        try await open(seed: random.next()).storage.close()
    }
}
