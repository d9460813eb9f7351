import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// Scenarios of sync.md: the app is killed, or loses power, at any moment.
@Suite(.timeLimit(.minutes(20))) struct CrashScenarioTests {
    /// A crash of the replica's disk.
    private enum Crash: CaseIterable { case kill, powerLoss, tornWrites }

    /// A moment of the server's, and how many calls the replica's disk had seen by then.
    private struct Moment {
        let calls: Int
        let server: FakeServer.Backup
    }

    @Test("S6: killed or without power at every call of the disk, record and outbox say the same")
    func recordAndOutboxAgreeAfterEveryCrash() async throws {
        let world = try await ScenarioWorld()
        try await world.serverPut(["id": "a", "x": 0, "votes": 0])
        try await world.serverPut(["id": "b", "x": 0])
        let disk = SimulatedDisk()
        let replica = try await world.replica(on: try await disk.openJournal())
        try await replica.sync()
        var moments: [Moment] = []
        replica.distortion = { _, answer in
            if let server = try? world.server.backup() {
                moments.append(Moment(calls: disk.recording.images.count, server: server))
            }
            return answer
        }
        disk.startRecording(images: true)
        moments.append(Moment(calls: 0, server: try world.server.backup()))
        try await Self.work(replica, world)
        try await replica.store.close()
        let images = disk.recording.images
        #expect(images.count > 30)
        for (calls, image) in images.enumerated() {
            let moment = try #require(moments.last { $0.calls <= calls })
            for crash in Crash.allCases {
                let crashed =
                    switch crash {
                    case .kill: image.afterKill()
                    case .powerLoss: image.afterPowerLoss(seed: 0)
                    case .tornWrites: image.afterPowerLoss(seed: UInt64(calls) + 1)
                    }
                try await Self.recover(crashed, moment.server)
            }
        }
    }

    /// Everything that an outbox goes through.
    private static func work(_ replica: Replica, _ world: ScenarioWorld) async throws {
        try await replica.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 1])
            try transaction.put(["id": "c"], in: "notes")
        }
        try await replica.advance(to: .push)
        try await replica.write { transaction in
            try transaction.patch("a", in: "notes", with: ["x": 2])
            try transaction.increment("votes", of: "a", in: "notes", by: 3)
        }
        try await replica.resolve(.push)
        try await world.serverPatch("b", ["x": 5])
        try await replica.delete("b")
        try await replica.sync()
        try await replica.write(atomicOnServer: true) { transaction in
            try transaction.put(["id": "d"], in: "notes")
            try transaction.delete("c", in: "notes")
        }
        try await replica.sync()
    }

    /// Opens what a crash has left, checks it, and syncs it with the server of that moment.
    private static func recover(
        _ disk: SimulatedDisk,
        _ backup: FakeServer.Backup
    ) async throws {
        let world = try await ScenarioWorld(of: backup)
        let replica = try await world.replica(on: try await disk.openJournal(seed: 5))
        try replica.store.checkSyncState()
        try await replica.sync()
        #expect(try replica.status.isSynced)
        #expect(try replica.records() == world.records())
        // Nothing is half there: the group is whole, and the counter counts once.
        let votes = try world.record("a")?["votes"]
        #expect(votes == 0 || votes == 3)
        #expect(try world.record("d") == nil || world.record("c") == nil)
        try await replica.store.close()
    }

    @Test("S27: what was sent is byte-identical after the power was cut, whatever the disk kept")
    func sentBytesSurviveAPowerLoss() async throws {
        for seed: UInt64 in 0..<40 {
            let world = try await ScenarioWorld()
            let disk = SimulatedDisk()
            let replica = try await world.replica(on: try await disk.openJournal())
            try await replica.sync()
            try await replica.write { transaction in
                try transaction.put(["id": "a", "x": 1, "votes": 0], in: "notes")
                try transaction.put(["id": "b"], in: "notes")
            }
            try await replica.advance(to: .push)
            let sent = try replica.take(.push)
            let image = disk.image()
            if seed.isMultiple(of: 2) { _ = await replica.arrive(sent) }
            let crashed = image.afterPowerLoss(seed: seed)
            try await replica.reopen(
                on: try await crashed.openJournal(seed: seed + 2),
                schema: world.schema
            )
            // An edit behind it is another mutation.
            try await replica.write { try $0.patch("a", in: "notes", with: ["x": 2]) }
            try await replica.advance(to: .push)
            let again = try replica.take(.push)
            #expect(try sent.texts == again.texts)
            try await replica.answer(again, await replica.arrive(again))
            try await replica.sync()
            #expect(try world.record("a") == ["id": "a", "x": 2, "votes": 0])
            #expect(try replica.records() == world.records())
        }
    }
}

extension SyncMachine.Outgoing {
    /// The bytes of a push's mutations.
    fileprivate var texts: [[UInt8]] {
        get throws {
            guard case .push(let push) = request else { return [] }
            return push.operations.map(\.text)
        }
    }
}
