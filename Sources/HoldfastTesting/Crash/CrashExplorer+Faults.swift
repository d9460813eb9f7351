import HoldfastStorage

extension CrashExplorer {
    /// Runs a workload on a disk that shows a failure, takes the failure back, and goes on.
    ///
    /// What was acknowledged has to be there, before and after any crash; what was refused must
    /// never come back; without a failed sync, the next commit succeeds.
    ///
    /// A sync that succeeds without having synced (``FailedSync/reportedLate``) is beyond what any
    /// store can make good: then a power loss may take acknowledged commits, or leave damage that
    /// opening names; what is shown is right all the same.
    ///
    /// - Parameters:
    ///   - operations: The workload.
    ///   - faults: The failures, from the workload's first call on.
    ///   - seed: Where random numbers come from.
    /// - Returns: Whether a failure met a call.
    /// - Throws: ``CrashViolation``.
    public mutating func explore(
        _ operations: [CrashOperation],
        failing faults: [DiskFault],
        seed: UInt64 = 1
    ) async throws -> Bool {
        let disk = SimulatedDisk()
        var run = try await CrashRun(subject, on: disk, seed: seed)
        run.cacheMayRevert = faults.contains { $0.effect == .failedSync(.pagesReverted) }
        let trail = [CrashStep.workload(operations, seed: seed), .failing(faults)]
        do {
            for fault in faults { disk.inject(fault) }
            for operation in operations { try await run.perform(operation) }
            let wasMet = disk.counters.faults > 0
            disk.removeFaults()
            try run.checkWhatIsShown()
            if plan.goesOn {
                try await run.perform(.put(201))
                try run.checkThatWritesGoOn()
                try run.checkWhatIsShown()
                try await run.perform(.wait(.milliseconds(20)))
            }
            let image = disk.image()
            var level = Level(trail: trail, seed: seed, depth: 0)
            level.hadPowerLoss = run.cacheMayRevert
            level.mediumLied = faults.contains { $0.effect == .failedSync(.reportedLate) }
            try await crash(image, run.history.expectation(at: image.mutations), level)
            try await run.perform(.reopen)
            try run.checkWhatIsShown()
            return wasMet
        } catch let violation as CrashViolation where violation.trail.isEmpty {
            throw violation.following(trail)
        } catch let error as StorageError {
            throw CrashViolation("Opening failed: \(error)").following(trail)
        }
    }

    /// Crashes a workload at its end, lets the recovery fail, and recovers again without a failure.
    ///
    /// A recovery that fails throws an error that names the failure, and takes nothing away.
    ///
    /// - Parameters:
    ///   - operations: The workload.
    ///   - faults: The failures, from the recovery's first call on.
    ///   - seed: Where random numbers come from.
    /// - Returns: Whether a failure met a call.
    /// - Throws: ``CrashViolation``.
    public mutating func explore(
        recoveryOf operations: [CrashOperation],
        failing faults: [DiskFault],
        seed: UInt64 = 1
    ) async throws -> Bool {
        let disk = SimulatedDisk()
        var run = try await CrashRun(subject, on: disk, seed: seed)
        for operation in operations { try await run.perform(operation) }
        let image = disk.image()
        let expectation = run.history.expectation(at: image.mutations)
        var nothing = ExtremeChooser(keepsAll: false)
        let trail = [CrashStep.workload(operations, seed: seed)]
        var level = Level(
            trail: trail + [.killed(before: nil), .failing(faults)],
            seed: seed,
            depth: 0
        )
        // A sync that reverts the cache takes from a killed process's work what only was there.
        level.hadPowerLoss = faults.contains { $0.effect == .failedSync(.pagesReverted) }
        var wasMet = try await fail(image.afterKill(), faults, expectation, level)
        level.hadPowerLoss = true
        level.trail = trail + [.powerLost(before: nil), .failing(faults)]
        let dark = image.afterPowerLoss(using: &nothing)
        if try await fail(dark, faults, expectation, level) { wasMet = true }
        return wasMet
    }

    private mutating func fail(
        _ disk: SimulatedDisk,
        _ faults: [DiskFault],
        _ expectation: CrashExpectation,
        _ level: Level
    ) async throws -> Bool {
        for fault in faults { disk.inject(fault) }
        let scheduler = HeldScheduler()
        do {
            let storage = try await subject.open(disk, scheduler, seed(after: level))
            await scheduler.run(for: .milliseconds(20))
            disk.removeFaults()
            try expectation.check(Observation(of: storage), afterPowerLoss: level.hadPowerLoss)
        } catch let violation as CrashViolation {
            throw violation.following(level.trail)
        } catch let error as StorageError where disk.counters.faults > 0 {
            guard error.code != .corruption else {
                throw CrashViolation("A failure was taken for damage: \(error)")
                    .following(level.trail)
            }
        }
        disk.removeFaults()
        try await crash(disk.image(), expectation, level)
        return disk.counters.faults > 0
    }

    private func seed(after level: Level) -> UInt64 { level.seed &+ 1 << 55 }
}
