import Holdfast
import HoldfastStorage
import HoldfastSync

/// Processes that start, end, and are ended.
extension SimulationRun {
    /// Starts the app; where the disk does not let it, later.
    func start(_ replica: SimulatedReplica) async throws {
        guard replica.process == nil else { return }
        replica.surroundings.set(now)
        replica.lastUpkeep = now
        let schema = replica.isUpgraded ? simulation.nextSchema : nil
        do {
            replica.process = try await SimulatedProcess.start(
                on: replica.disk,
                path: replica.path,
                schema: schema ?? simulation.schema,
                environment: replica.environment,
                configuration: simulation.configuration,
                credentials: replica.credentials
            )
        } catch {
            guard replica.disk.capacity != nil || replica.disk.takenImage != nil else {
                throw SimulationFinding(
                    .crashesLeaveAPrefix,
                    "Replica \(replica.number) cannot open its store: \(error)"
                )
            }
            if let image = takeCrash(replica) { return try await crash(replica, at: image) }
            queue.add(.start(replica: replica.number, life: replica.life), at: now + .seconds(5))
            return
        }
        if let process = replica.process { try recover(replica, process.found) }
        if try await crashIfDue(replica, isEdit: false) { return }
        try await absorb(replica, isEdit: false)
        try checkAll(replica)
        try await tell(replica, .start)
    }

    /// Quits the app and starts it.
    func restart(_ replica: SimulatedReplica) async throws {
        guard let process = replica.process else { return }
        await replica.reach(now)
        try await absorb(replica, isEdit: false)
        try? await process.store.close()
        if let image = takeCrash(replica) { return try await crash(replica, at: image) }
        replica.endProcess()
        try await start(replica)
    }

    func prepareCrash(
        _ replica: SimulatedReplica,
        _ losesPower: Bool,
        _ calls: Int?,
        _ pause: Duration,
        _ seed: UInt64
    ) {
        guard replica.process != nil, replica.crash == nil else { return }
        replica.crash = SimulatedReplica.Crash(losesPower: losesPower, pause: pause, seed: seed)
        if let calls { replica.disk.takeImage(after: calls) }
        queue.add(
            .overdueCrash(replica: replica.number, life: replica.life),
            at: now + .milliseconds(200 + Int(seed % 9_800))
        )
    }

    private func takeCrash(_ replica: SimulatedReplica) -> DiskImage? {
        replica.crash == nil ? nil : replica.disk.takenImage
    }

    /// Crashes a replica whose disk has come to the call that was drawn.
    ///
    /// What the process did after that call has no effect: it is dropped with it.
    func crashIfDue(_ replica: SimulatedReplica, isEdit: Bool) async throws -> Bool {
        guard let image = takeCrash(replica) else { return false }
        try await absorb(replica, isEdit: isEdit)
        try await crash(replica, at: image)
        return true
    }

    func crash(_ replica: SimulatedReplica, at image: DiskImage) async throws {
        guard let crash = replica.crash else { return }
        report.crashes += 1
        // What became durable meanwhile was done by a process that had ended.
        let disk = crash.losesPower ? image.afterPowerLoss(seed: crash.seed) : image.afterKill()
        trace.note(
            now,
            2,
            UInt64(replica.number),
            text: "replica \(replica.number) \(crash.losesPower ? "loses power" : "is killed")"
        )
        replica.crash = nil
        replica.disk = disk
        replica.endProcess()
        replica.forgetProgress()
        queue.add(
            .start(replica: replica.number, life: replica.life),
            at: now + crash.pause
        )
    }

    /// A crash takes no commit that was durable, and invents none.
    private func recover(_ replica: SimulatedReplica, _ found: SequenceNumber) throws {
        let required = replica.durableSequence
        guard found >= required, found <= replica.sequence else {
            throw SimulationFinding(
                .crashesLeaveAPrefix,
                "Replica \(replica.number) had commits up to \(required) for sure and up to"
                    + " \(replica.sequence) at most, and its store opens with \(found)"
            )
        }
        if found < replica.sequence {
            history.lose(replica.author, after: found)
            history.excuse(whatIsHeldByNoneOf: holders)
        }
        replica.sequence = found
        replica.durableSequence = found
    }

    func backUp(_ replica: SimulatedReplica) async throws {
        guard let process = replica.process, replica.crash == nil else { return }
        await replica.reach(now)
        let path = "backup \(replica.life)"
        guard (try? await process.store.backup(to: path, linking: false)) != nil else { return }
        replica.backup = SimulatedReplica.Backup(
            image: replica.disk.image(),
            path: path,
            sequence: replica.sequence,
            view: history.views[replica.author]
        )
    }

    func restore(_ replica: SimulatedReplica) async throws {
        guard let backup = replica.backup else { return }
        report.restores += 1
        replica.backup = nil
        replica.restoredAt = now
        replica.crash = nil
        replica.endProcess()
        replica.disk = backup.image.afterKill()
        replica.path = backup.path
        history.setBack(replica.author, to: backup.view, after: backup.sequence)
        history.excuse(whatIsHeldByNoneOf: holders)
        replica.sequence = backup.sequence
        replica.durableSequence = backup.sequence
        replica.forgetProgress()
        queue.add(.start(replica: replica.number, life: replica.life), at: now)
    }
}
