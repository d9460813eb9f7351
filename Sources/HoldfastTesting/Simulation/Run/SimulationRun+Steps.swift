import Holdfast
import HoldfastStorage
import HoldfastSync

/// What happens from outside.
extension SimulationRun {
    func perform(_ step: SimulationStep) async throws {
        if case .clock = step.action {
            // It must not matter, and so is no part of what has to be the same.
            trace.say(now, "\(step)")
        } else {
            trace.note(now, 1, UInt64(step.replica), step.seed, text: "\(step)")
        }
        if step.action.isAtServer { return try await performAtServer(step) }
        guard step.replica < replicas.count else { return }
        let replica = replicas[step.replica]
        switch step.action {
        case .operate(let name): try await operate(name, at: replica, seed: step.seed)
        case .crash(let losesPower, let calls, let pause):
            prepareCrash(replica, losesPower, calls, pause, step.seed)
        case .restart: try await restart(replica)
        case .network(let conditions, let time):
            replica.conditions = conditions
            replica.networkSerial += 1
            let ending = SimulationEvent.Ending.network(
                replica: replica.number,
                serial: replica.networkSerial
            )
            queue.add(.end(ending), at: now + time)
            if conditions.link == .offline { try await trigger(.disconnect, at: replica) }
        case .trigger:
            try await trigger(.foreground, at: replica)
            if step.seed.isMultiple(of: 2) { try await decide(replica, isLast: false) }
        case .clock(let jump): replica.surroundings.shiftClock(by: jump)
        case .fullDisk(let time):
            replica.disk.capacity = replica.disk.usedBytes
            replica.diskSerial += 1
            let ending = SimulationEvent.Ending.disk(
                replica: replica.number,
                serial: replica.diskSerial
            )
            queue.add(.end(ending), at: now + time)
        case .backUp: try await backUp(replica)
        case .restore: try await restore(replica)
        case .upgrade:
            guard simulation.nextSchema != nil, !replica.isUpgraded else { return }
            replica.isUpgraded = true
            try await restart(replica)
        case .revoke(let place, let time):
            guard place < simulation.scopes.count else { return }
            server.revoke(place, from: replica.principal)
            excuseRevoked(replica, place)
            queue.add(
                .end(.revocation(replica: replica.number, place: place)),
                at: now + time
            )
        default: return
        }
    }

    private func performAtServer(_ step: SimulationStep) async throws {
        switch step.action {
        case .serverOperate(let name):
            guard let operation = operations[name] else { return }
            let person = SimulatedPerson(
                replica: -1,
                milliseconds: server.milliseconds(at: now),
                ids: server.ids,
                name: word(step.seed),
                seed: step.seed
            )
            try await server.operate(operation, person)
            _ = try await absorbServer(isEdit: true)
        case .outage(let status, let pushesOnly, let time):
            let serial = server.beginOutage(
                status: status,
                pushesOnly: pushesOnly,
                at: now
            )
            queue.add(.end(.outage(serial: serial)), at: now + time)
        case .quota(let time):
            queue.add(.end(.quota(serial: server.beginQuota())), at: now + time)
        case .refusing(let time):
            queue.add(.end(.refusing(serial: server.beginRefusing())), at: now + time)
        case .purge: try await server.purge()
        case .collectKeys: try await server.collectKeys()
        case .serverBackUp: try server.backUp()
        case .serverRestore:
            let before = try server.store.syncedRecords(tables)
            guard try await server.restore() else { return }
            // What the server itself has noted goes with the history that it noted it in.
            for (record, object) in before where record.table == LedgerEntry.table {
                if let entry = try? LedgerEntry(json: object) { wire.giveUp(entry) }
            }
            report.restores += 1
            wire.forgetEffects()
            try await absorbRestoredServer()
        default: return
        }
    }

    /// A word that nobody else uses: short, since it goes everywhere.
    func word(_ seed: UInt64) -> String { "w" + String(seed, radix: 36) }

    private func operate(_ name: String, at replica: SimulatedReplica, seed: UInt64) async throws {
        guard let operation = operations[name], let process = replica.process else { return }
        await replica.reach(now)
        let person = SimulatedPerson(
            replica: replica.number,
            milliseconds: clocksMatterToPersons
                ? replica.surroundings.milliseconds : replica.surroundings.trueMilliseconds,
            ids: replica.ids,
            name: word(seed),
            seed: seed
        )
        do {
            try await process.store.write(atomicOnServer: operation.isAtomicOnServer) {
                transaction in
                var person = person
                try operation.body(&transaction, &person)
            }
        } catch {
            trace.say(now, "  rolled back: \(error)")
        }
        if try await crashIfDue(replica, isEdit: true) { return }
        let before = replica.sequence
        try await absorb(replica, isEdit: true)
        guard replica.sequence > before else { return }
        report.commits += 1
        replica.durableSequence = replica.sequence
        history.settle(replica.author, through: replica.sequence)
        try await trigger(.localWrite, at: replica)
    }
}
