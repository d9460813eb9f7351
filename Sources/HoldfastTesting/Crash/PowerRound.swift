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
        let isWatched = random.next(below: 4) == 0
        let follower = isWatched ? try await subject.follow?(disk) : nil
        for operation in operations where disk.takenImage == nil {
            try await run.perform(operation)
            try await check(follower, of: &run)
        }
        let image = disk.takenImage ?? disk.image()
        expectation = run.history.expectation(at: image.mutations)
        tally.acknowledged += expectation.last - run.found.last
        crash(image)
    }

    private mutating func open(seed: UInt64) async throws -> CrashRun {
        if random.next(below: 4) == 0 { try removeDisposable() }
        let seen = random.next(below: 3) == 0 ? try await followed() : nil
        let run = try await CrashRun(subject, on: disk, seed: seed)
        try expectation.check(run.found, afterPowerLoss: hadPowerLoss)
        if let seen, seen.last != run.found.last || seen.state != run.found.state {
            throw CrashViolation(
                "A reader saw \(seen.state.summary) after \(seen.last) commits, and the next"
                    + " writer \(run.found.state.summary) after \(run.found.last)."
            )
        }
        return run
    }

    /// Then all that the files said has to be found elsewhere.
    private func removeDisposable() throws {
        let paths = disk.paths
        for path in subject.disposable where paths.contains(path) { try disk.remove(path) }
    }

    /// What a reader shows of the store before it is recovered; `nil` where it is not yet made.
    private func followed() async throws -> Observation? {
        guard let follow = subject.follow else { return nil }
        let before = disk.image().fingerprint
        let observation: Observation
        do {
            let follower = try await follow(disk)
            observation = try Observation(of: follower)
            try await follower.close()
        } catch let error as StorageError
            where expectation.last == 0 && [.notFound, .notAStore].contains(error.code)
        {
            return nil
        }
        guard disk.image().fingerprint == before else {
            throw CrashViolation("A reader changed a file.")
        }
        return observation
    }

    /// A reader that stays while the store is worked with, and shows no state that never was.
    private func check(_ follower: (any Storage)?, of run: inout CrashRun) async throws {
        guard let follower else { return }
        let observation: Observation
        do {
            observation = try observe(follower)
        } catch let error as StorageError where error.code == .inputOutput {
            // What it shows may be in files that are gone, until the writer's next mark is there.
            try await run.perform(.wait(.milliseconds(20)))
            do {
                observation = try observe(follower)
            } catch {
                throw CrashViolation("A reader beside the writer fails: \(error)")
            }
        }
        guard observation.last >= run.found.last else { return }
        let moment = disk.counters.mutations
        try run.history.expectation(at: moment).check(observation, requiring: 0)
    }

    private func observe(_ follower: any Storage) throws -> Observation {
        if let follower = follower as? JournalFollower { try follower.refresh() }
        return try Observation(of: follower)
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
