import Holdfast
import HoldfastStorage

/// The crashes of one ``CrashCheck``.
struct CrashTrial {
    /// A crash that was tried before is known by what it left, and by what has to be there.
    private struct Visited: Hashable {
        let fingerprint: UInt64
        let required: Int
        let promises: [String]
    }

    private let check: CrashCheck
    private let log: CommitLog
    private var random: SplitMix64
    private var visited: Set<Visited> = []
    private(set) var report = CrashCheckReport()

    init(_ check: CrashCheck, _ log: CommitLog) {
        self.check = check
        self.log = log
        random = SplitMix64(seed: check.seed)
        report.commits = log.count
    }

    /// Crashes the work at as many of the moments as the limit allows, and at each more than once
    /// where it allows more.
    mutating func run(_ images: [DiskImage]) async throws {
        report.moments = images.count
        let outcomes = max(3, min(24, check.limit / images.count))
        let all = images.count * outcomes
        let stride = max(1, (all + check.limit - 1) / check.limit)
        for number in Swift.stride(from: 0, to: all, by: stride) {
            let image = images[number / outcomes]
            try await crash(image, at: image.mutations, outcome: number % outcomes, after: [])
        }
    }

    /// `moment` is when the work was crashed, also where the image is of a recovery from that; an
    /// `outcome` of 0 is a killed process, 1 a power loss that keeps nothing, all others are drawn.
    private mutating func crash(
        _ image: DiskImage,
        at moment: Int,
        outcome: Int,
        after trail: [CrashStep]
    ) async throws {
        var trail = trail
        let disk: SimulatedDisk
        if outcome == 0 {
            trail.append(.killed(before: image.nextCall))
            disk = image.afterKill()
        } else if outcome == 1 {
            trail.append(.powerLost(before: image.nextCall, outcome: [0]))
            var nothing = ExtremeChooser(keepsAll: false)
            disk = image.afterPowerLoss(using: &nothing)
        } else {
            let seed = random.next()
            trail.append(.powerLost(before: image.nextCall, seed: seed))
            disk = image.afterPowerLoss(seed: seed)
        }
        try await recover(disk, at: moment, trail)
    }

    private mutating func recover(
        _ disk: SimulatedDisk,
        at moment: Int,
        _ trail: [CrashStep]
    ) async throws {
        let hadPowerLoss = trail.contains { step in
            if case .powerLost = step { true } else { false }
        }
        let required = log.required(at: moment, afterPowerLoss: hadPowerLoss)
        let promises = log.promises(at: moment)
        let key = Visited(
            fingerprint: disk.image().fingerprint,
            required: required,
            promises: promises.map(\.name)
        )
        guard visited.insert(key).inserted else { return }
        report.states += 1
        if trail.count > 1 { report.crashedRecoveries += 1 }
        disk.takeImage(after: random.next(below: 16))
        do {
            try await verify(disk, required, promises)
        } catch let violation as CrashViolation {
            throw violation.following(trail)
        } catch {
            throw CrashViolation("The crashed store does not open: \(error)").following(trail)
        }
        if let image = disk.takenImage, trail.count < 3 {
            let outcome = random.next(below: 4)
            try await crash(image, at: moment, outcome: outcome, after: trail)
        }
    }

    private func verify(
        _ disk: SimulatedDisk,
        _ required: Int,
        _ promises: [(name: String, check: CrashCheck.Check)]
    ) async throws {
        let app = CrashedApp(seed: check.seed &+ 1 << 60)
        let storage = try await app.open(disk)
        let observation = try Observation(of: storage)
        guard observation.last >= required else {
            throw CrashViolation(
                "Transaction \(observation.last + 1) of \(required) that had to be there is lost.",
                isLoss: true
            )
        }
        guard log.state(after: observation.last) == observation.state else {
            throw CrashViolation(
                "The store is not as the work's first \(observation.last) transactions left it."
            )
        }
        let store = try await Store(storage: storage, schema: check.schema)
        for (name, check) in check.checks {
            try await run(check, store, "'\(name)' is not true")
        }
        for (name, check) in promises {
            try await run(check, store, "The promise '\(name)' is broken", isLoss: true)
        }
        try await store.close()
        try app.verify(disk)
    }

    private func run(
        _ check: CrashCheck.Check,
        _ store: Store,
        _ finding: String,
        isLoss: Bool = false
    ) async throws {
        do {
            try await check(store)
        } catch {
            throw CrashViolation("\(finding): \(error)", isLoss: isLoss)
        }
    }
}
