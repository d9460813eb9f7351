import HoldfastStorage
import HoldfastTesting
import Testing

/// What looks after a store, on one with a checkpoint.
@Suite struct CheckpointedMaintenanceTests {
    private static let checkpoint = TestStore.path + "/checkpoint"

    /// A store with a checkpoint and a few commits behind it.
    private static func checkpointed() async throws -> (TestStore, JournalStorage) {
        let store = try await TestStore.filled(200)
        let storage = try await store.open()
        try await storage.checkpoint()
        for number in 1...5 { try await storage.put("later", for: "key \(number)") }
        return (store, storage)
    }

    @Test func everyPageIsReadAndADamagedOneIsReportedWhereItStands() async throws {
        let (store, storage) = try await Self.checkpointed()
        let intact = try await storage.verify()
        #expect(intact.isIntact && intact.checkpoint?.rawValue == 200)
        let bytes = try store.disk.contents(of: Self.checkpoint)
        for offset in stride(from: 4_096, to: bytes.count, by: 97) {
            var damaged = bytes
            damaged[offset] ^= 4
            try store.disk.replace(Self.checkpoint, with: damaged)
            let findings = try store.verify().findings
            #expect(findings.allSatisfy { $0.kind == .checkpoint && $0.file == "checkpoint" })
            // What pads a page to its place is no part of it.
            guard let first = findings.first else { continue }
            #expect(first.offset == 0 || first.offset <= UInt64(offset))
        }
        let found = try (0..<200).filter { index in
            var damaged = bytes
            damaged[4_096 + 8 + index] ^= 1
            try store.disk.replace(Self.checkpoint, with: damaged)
            return try !store.verify().isIntact
        }
        #expect(found.count == 200)
    }

    @Test func statisticsTellOfTheCheckpointAndOfTheTailBehindIt() async throws {
        let (store, storage) = try await Self.checkpointed()
        let checkpoint = try #require(try storage.statistics().checkpoint)
        #expect(checkpoint.last.rawValue == 200)
        #expect(checkpoint.bytes == UInt64(try store.disk.contents(of: Self.checkpoint).count))
        #expect(checkpoint.tailBytes > 5 * 48 && checkpoint.tailBytes < 12_288)
        try await storage.checkpoint()
        #expect(try storage.statistics().checkpoint?.tailBytes ?? 100 < 100)
    }

    @Test func aBackupTakesTheCheckpointAndOpensFromIt() async throws {
        let (store, storage) = try await Self.checkpointed()
        let expected = try storage.contents()
        try await storage.backup(to: "copy")
        try await storage.put("latest", for: "key 1")
        try await storage.checkpoint()
        let copy = try await JournalStorage.open(at: "copy", configuration: store.configuration)
        #expect(copy.recoveryReport.checkpoint?.rawValue == 200)
        #expect(try copy.contents() == expected)
        #expect(try await copy.verify().isIntact)
        for number in 1...80 { try await copy.put(TestStore.filler(number), for: "own") }
        try await copy.compact()
        try await copy.close()
        #expect(try await storage.verify().isIntact)
        try await storage.backup(to: "whole", linking: false) { _ in }
        #expect(!store.disk.paths.contains("whole/checkpoint"))
        let whole = try await JournalFollower.open(at: "whole", configuration: store.configuration)
        #expect(try whole.value(for: "key 1") == "latest")
    }

    @Test func recordsThatAreNotThoseOfTheJournalAreFound() async throws {
        let store = try await TestStore.filled(45)
        let follower = try await store.follow()
        let report = try await follower.verify()
        #expect(report.isIntact && report.isRecounted)
        // Another journal of as many commits in the place of the one that was read.
        let other = TestStore()
        let storage = try await other.open()
        for number in 1...45 {
            try await storage.put(TestStore.filler(number), for: "kex \(number)")
        }
        try await storage.close()
        for (path, bytes) in try other.files() { try store.disk.replace(path, with: bytes) }
        let findings = try await follower.verify().findings
        #expect(findings.contains { $0.detail.contains("not those that the journal gives") })
    }
}
