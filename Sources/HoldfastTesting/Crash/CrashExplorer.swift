import HoldfastStorage

/// Tries every crash of a workload, and crashes of the recoveries from them.
///
/// For each call that could change the disk, the process is killed before it, and the power is lost
/// before it with each outcome that the limits allow. The store is opened again, and has to hold a
/// state that was promised. With a greater depth the same is done with every call of that recovery.
public struct CrashExplorer: Sendable {
    /// How far to go.
    public struct Plan: Sendable {
        /// How finely a power loss of the workload itself is asked.
        public var limits = CrashLimits(independentSectors: 4)
        /// How finely a power loss during a recovery is asked.
        public var recoveryLimits = CrashLimits(independentSectors: 1, tears: false)
        /// How many recoveries one after the other are crashed too; 0 for none.
        public var depth = 0
        /// Whether each recovered store, and a store that has shown a failure, is written to before
        /// it is crashed once more.
        public var goesOn = true
        /// Draws this many outcomes of each power loss, beside the two that keep nothing and
        /// everything, instead of trying all.
        public var draws: Int?
        /// The same for each power loss of a recovery.
        public var recoveryDraws: Int? = 0

        /// Every crash of the workload, and none of its recoveries.
        public init() {}
    }

    /// What was tried.
    public struct Tally: Hashable, Sendable {
        /// Moments at which the workload was crashed.
        public var moments = 0
        /// Stores that were opened after a crash.
        public var recoveries = 0
        /// Crashes that led to a disk that had been tried before.
        public var repetitions = 0
    }

    /// What was tried so far.
    public private(set) var tally = Tally()
    let subject: CrashSubject
    let plan: Plan
    private var visited: Set<VisitedDisk> = []

    /// An explorer of crashes of a subject.
    public init(_ subject: CrashSubject, _ plan: Plan = Plan()) {
        self.subject = subject
        self.plan = plan
    }

    /// Runs a workload on a new disk and crashes it at every call.
    ///
    /// - Parameters:
    ///   - operations: The workload.
    ///   - first: The first operation whose calls are crashed, as those before were tried
    ///     elsewhere; `nil` to crash the making of the store too.
    ///   - seed: Where random numbers come from.
    /// - Throws: ``CrashViolation``, or what the workload itself throws without a crash.
    public mutating func explore(
        _ operations: [CrashOperation],
        from first: Int? = nil,
        seed: UInt64 = 1
    ) async throws {
        let disk = SimulatedDisk()
        if first == nil { disk.startRecording(images: true) }
        var run = try await CrashRun(subject, on: disk, seed: seed)
        for (index, operation) in operations.enumerated() {
            if index == first { disk.startRecording(images: true) }
            try await run.perform(operation)
        }
        let level = Level(trail: [.workload(operations, seed: seed)], seed: seed, depth: plan.depth)
        for image in disk.recording.images + [disk.image()] {
            tally.moments += 1
            try await crash(image, run.history.expectation(at: image.mutations), level)
        }
    }
}

extension CrashExplorer {
    /// Where in a chain of crashes and recoveries something happens.
    struct Level {
        var trail: [CrashStep]
        var seed: UInt64
        /// How many recoveries will still be crashed.
        var depth: Int
        var hadPowerLoss = false
        var isRecovery = false
        /// A sync succeeded that had not synced.
        var mediumLied = false

        func following(_ step: CrashStep) -> Level {
            var level = self
            level.trail.append(step)
            return level
        }
    }

    mutating func crash(
        _ image: DiskImage,
        _ expectation: CrashExpectation,
        _ level: Level
    ) async throws {
        let call = image.nextCall
        try await recover(image.afterKill(), expectation, level.following(.killed(before: call)))
        var level = level
        level.hadPowerLoss = true
        if let draws = level.isRecovery ? plan.recoveryDraws : plan.draws {
            try await drawPowerLosses(draws, image, expectation, level)
        } else {
            try await tryPowerLosses(image, expectation, level)
        }
    }

    private mutating func drawPowerLosses(
        _ draws: Int,
        _ image: DiskImage,
        _ expectation: CrashExpectation,
        _ level: Level
    ) async throws {
        for keepsAll in [false, true] {
            var chooser = ExtremeChooser(keepsAll: keepsAll)
            let disk = image.afterPowerLoss(using: &chooser)
            let step = CrashStep.powerLost(before: image.nextCall, outcome: [keepsAll ? 1 : 0])
            try await recover(disk, expectation, level.following(step))
        }
        for draw in 0..<UInt64(draws) {
            let seed = level.seed &* 1_000_003 &+ draw
            let disk = image.afterPowerLoss(seed: seed)
            let step = CrashStep.powerLost(before: image.nextCall, seed: seed)
            try await recover(disk, expectation, level.following(step))
        }
    }

    private mutating func tryPowerLosses(
        _ image: DiskImage,
        _ expectation: CrashExpectation,
        _ level: Level
    ) async throws {
        var outcomes = CrashEnumerator(
            limits: level.isRecovery ? plan.recoveryLimits : plan.limits
        )
        var powerLosses = PowerLosses(of: image)
        repeat {
            let disk = powerLosses.next(using: &outcomes)
            let choices = outcomes.choices
            let step = CrashStep.powerLost(before: image.nextCall, outcome: choices)
            try await recover(disk, expectation, level.following(step))
        } while outcomes.advance()
    }

    private mutating func recover(
        _ disk: SimulatedDisk,
        _ expectation: CrashExpectation,
        _ level: Level
    ) async throws {
        let key = VisitedDisk(
            fingerprint: disk.image().fingerprint,
            hadPowerLoss: level.hadPowerLoss,
            expectation: expectation.hashValue
        )
        guard visited.insert(key).inserted else {
            tally.repetitions += 1
            return
        }
        tally.recoveries += 1
        if level.depth > 0 { disk.startRecording(images: true) }
        var next = level
        next.seed = level.seed &+ 1 << 48
        next.isRecovery = true
        next.depth -= 1
        let images: [DiskImage]
        let found: CrashExpectation
        do {
            var run = try await CrashRun(subject, on: disk, seed: next.seed)
            try expectation.check(run.found, afterPowerLoss: level.hadPowerLoss)
            images = disk.recording.images
            found = run.history.expectation(at: disk.counters.mutations)
            let end = disk.image()
            if plan.goesOn { try await goOn(&run) }
            guard level.depth > 0 else { return }
            for image in images { try await crash(image, expectation, next) }
            try await crash(end, found, next)
        } catch let violation as CrashViolation where violation.trail.isEmpty {
            if level.mediumLied, violation.isLoss { return }
            throw violation.following(level.trail)
        } catch let error as StorageError {
            if level.mediumLied, error.code == .corruption { return }
            throw CrashViolation("Opening failed: \(error)").following(level.trail)
        }
    }

    /// Goes on from a recovery: what it leaves has to be a store like any.
    ///
    /// What was shown is there after a power loss, so is what is committed next.
    private func goOn(_ run: inout CrashRun) async throws {
        try await losePower(run, "After a recovery and a power loss")
        // At once: background work could sync by the way what the recovery left unsynced.
        try await run.perform(.put(200))
        if let failure = run.failures.last {
            throw CrashViolation("A commit after the recovery failed: \(failure)")
        }
        try await losePower(run, "After a recovery, a commit and a power loss")
    }

    private func losePower(_ run: CrashRun, _ when: String) async throws {
        let image = run.disk.image()
        var nothing = ExtremeChooser(keepsAll: false)
        do {
            let disk = image.afterPowerLoss(using: &nothing)
            let storage = try await subject.open(disk, HeldScheduler(), 1 << 60)
            try run.history.expectation(at: image.mutations)
                .check(Observation(of: storage), afterPowerLoss: true)
        } catch {
            let isLoss = (error as? CrashViolation)?.isLoss ?? (error is StorageError)
            throw CrashViolation("\(when): \(error)", isLoss: isLoss)
        }
    }
}

/// A disk that was recovered from, and what was expected of it.
private struct VisitedDisk: Hashable {
    var fingerprint: UInt64
    var hadPowerLoss: Bool
    var expectation: Int
}
