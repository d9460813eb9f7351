import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenarios C2, C3, C4, C10, C21 and C28: what a crash may and may not take.
@Suite struct RecoveryScenarioTests {
    @Test(arguments: [Durability.synced, .ordered, .buffered])
    func anAcknowledgedCommitSurvivesAKill(_ durability: Durability) async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...60 {
            try await storage.put(TestStore.filler(number), for: "key \(number)", durability)
        }
        let reopened = try await TestStore(store.disk.image().afterKill()).open()
        #expect(try reopened.contents() == storage.contents())
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func anAcknowledgedSyncedCommitSurvivesPowerLoss(_ seed: UInt64) async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...30 { try await storage.put("\(number)", for: "key \(number)") }
        try await storage.put("unsynced", for: "last", .buffered)
        let after = TestStore(store.disk.image().afterPowerLoss(seed: seed))
        let reopened = try await after.open()
        for number in 1...30 { #expect(try reopened.value(for: "key \(number)") == "\(number)") }
        #expect(try ["unsynced", nil].contains(reopened.value(for: "last")))
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func commitsOfTheSessionsBeforeAndAfterATornTailAreBothThere(_ seed: UInt64) async throws {
        let store = TestStore()
        let first = try await store.open()
        try await first.put("1", for: "first")
        try await first.put(TestStore.filler(1), for: "torn", .buffered)
        let torn = TestStore(store.disk.image().afterPowerLoss(seed: seed))
        let second = try await torn.open()
        try await second.put("2", for: "second")
        try await second.close()
        let third = try await torn.open()
        #expect(third.recoveryReport.wasClosed)
        #expect(try third.value(for: "first") == "1")
        #expect(try third.value(for: "second") == "2")
        try await third.close()
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func aTransactionIsThereWholeOrNotAtAll(_ seed: UInt64) async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("first", for: "first")
        _ = try await storage.write(.buffered) { transaction in
            for number in 1...12 {
                try transaction.put(
                    Array(TestStore.filler(number).utf8),
                    for: Array("key \(number)".utf8)
                )
            }
        }
        let reopened = try await TestStore(store.disk.image().afterPowerLoss(seed: seed)).open()
        let count = try reopened.snapshot().count
        #expect(count == 1 || count == 13)
    }

    @Test func aRetryOfACommitThatFoundNoRoomLeavesNothingStaleBehind() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        // The failed group leaves its first frame whole and its second one cut.
        store.disk.inject(DiskFault(.short(4_096), on: [.write], times: 1))
        store.disk.inject(DiskFault(.error(.noSpace), on: [.write], after: 1))
        let large = String(repeating: "l", count: 5_000)
        let failure = await code { try await storage.put(large, for: "retried") }
        #expect(failure == .diskFull)
        store.disk.removeFaults()
        try await storage.put(large, for: "retried")
        let reopened = try await TestStore(store.disk.image().afterKill()).open()
        #expect(try reopened.contents() == ["first": "1", "retried": large])
        #expect(try reopened.changes(after: .zero, limit: 10).count == 2)
    }

    @Test func theClockDecidesNothing() async throws {
        // Nothing in the engine reads a clock; what a scheduler delays changes no content.
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("old", for: "key")
        await store.scheduler.run(for: .seconds(10 * 365 * 86_400))
        try await storage.put("new", for: "key")
        let numbers = try storage.changes(after: .zero, limit: 10).map(\.sequenceNumber)
        #expect(numbers == [SequenceNumber(1), SequenceNumber(2)])
        #expect(try storage.value(for: "key") == "new")
        try await storage.close()
    }

    @Test func workThatComesLateNeverReplacesASegmentThatIsWritten() async throws {
        let store = TestStore()
        let storage = try await store.open()
        // The preparation of segment 2 is still waiting when the journal is long past it.
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        await store.scheduler.run(for: .seconds(5))
        let reopened = try await TestStore(store.disk.image().afterKill()).open()
        #expect(try reopened.snapshot().count == 60)
    }
}
