import HoldfastStorage
import HoldfastTesting
import Testing

/// What work costs, in calls and bytes: figures that no machine changes, so that a slower engine is
/// noticed where seconds would not tell.
///
/// A budget may be lowered with a change that spends less. Raising one needs a reason.
@Suite struct WorkBudgetTests {
    /// What some work may ask of the disk.
    struct Budget {
        var writes = 0
        var syncs = 0
        var bytesWritten = 0
        var reads = 0
        var bytesRead = 0
    }

    private static let keyBytes = 42
    private static let valueBytes = 280
    private static let recordBytes = keyBytes + valueBytes
    private static let index = IndexDefinition(name: "first", version: 1) { _, value, emit in
        emit(value.extracting(first: 8))
    }

    @Test func aCommitOfOneRecordIsOneWriteAndOneSync() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        try await storage.put(records: 0..<1)
        try await store.spend(Budget(writes: 100, syncs: 100, bytesWritten: 100 * 384)) {
            for number in 1...100 { try await storage.put(records: number..<number + 1) }
        }
    }

    @Test func aTransactionOfManyRecordsIsOneWriteAndOneSync() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        try await storage.put(records: 0..<1)
        let bytes = 1_000 * (Self.recordBytes + 14)
        try await store.spend(Budget(writes: 10, syncs: 10, bytesWritten: bytes)) {
            for batch in 0..<10 {
                try await storage.put(records: batch * 100..<batch * 100 + 100)
            }
        }
    }

    @Test func anIndexReadsWhatIsOverwrittenAndWritesNoMore() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        try await storage.setIndexes([Self.index])
        try await storage.put(records: 0..<1_000)
        let budget = Budget(
            writes: 100,
            syncs: 100,
            bytesWritten: 100 * 384,
            reads: 100,
            bytesRead: 100 * 330
        )
        try await store.spend(budget) {
            for number in 0..<100 { try await storage.put(records: number..<number + 1) }
        }
    }

    /// Once as zeros, so that commits find their segments ready, and once as records.
    @Test func anImportWritesItsRecordsOnceAndMakesSegmentsReady() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        let bytes = 2 * 10_000 * (Self.recordBytes + 14)
        try await store.spend(Budget(writes: 60, syncs: 60, bytesWritten: bytes)) {
            for batch in 0..<10 {
                try await storage.put(records: batch * 1_000..<batch * 1_000 + 1_000)
            }
        }
        let activity = try storage.statistics().activity
        #expect(activity.commits == 10 && activity.groups == 10)
    }

    @Test func aReadOfOneRecordIsOneReadOfTheDisk() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        try await storage.put(records: 0..<1_000)
        let snapshot = try storage.snapshot()
        try await store.spend(Budget(reads: 100, bytesRead: 100 * 340)) {
            for number in 0..<100 {
                let value = try snapshot.value(for: key(number))
                #expect(value?.count == Self.valueBytes)
            }
        }
    }

    @Test func aScanReadsTheJournalInLargePieces() async throws {
        let store = BudgetStore()
        let storage = try await store.open()
        try await storage.put(records: 0..<5_000)
        try await store.spend(Budget(reads: 40, bytesRead: 5_000 * 340)) {
            var count = 0
            try storage.snapshot().scanUnordered(.all) { _, _ in
                count += 1
                return true
            }
            #expect(count == 5_000)
        }
    }

    @Test func openingAfterACleanCloseDoesNotReadTheRecords() async throws {
        let store = BudgetStore()
        let filling = try await store.open()
        try await filling.put(records: 0..<5_000)
        try await filling.checkpoint()
        try await filling.close()
        let budget = Budget(
            writes: 10,
            syncs: 10,
            bytesWritten: 70_000,
            reads: 60,
            bytesRead: 120_000
        )
        try await store.spend(budget) {
            let storage = try await store.open()
            #expect(try storage.snapshot().count == 5_000)
        }
    }
}

/// A store of an app's sizes on a simulated disk that counts.
private struct BudgetStore {
    let disk = SimulatedDisk()
    private let scheduler = HeldScheduler()

    func open() async throws -> JournalStorage {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = scheduler
        configuration.reserveBytes = 0
        return try await JournalStorage.open(at: TestStore.path, configuration: configuration)
    }

    /// Does some work and compares what it asked of the disk with what it may.
    func spend(
        _ budget: WorkBudgetTests.Budget,
        at location: SourceLocation = #_sourceLocation,
        _ work: () async throws -> Void
    ) async throws {
        let before = disk.counters
        try await work()
        let after = disk.counters
        let spent = [
            ("writes", after.writes - before.writes, budget.writes),
            ("syncs", after.syncs - before.syncs, budget.syncs),
            ("bytes written", after.bytesWritten - before.bytesWritten, budget.bytesWritten),
            ("reads", after.reads - before.reads, budget.reads),
            ("bytes read", after.bytesRead - before.bytesRead, budget.bytesRead),
        ]
        for (name, count, limit) in spent {
            #expect(count <= limit, "\(name)", sourceLocation: location)
        }
    }
}

/// 42 bytes in no order, different for each number.
private func key(_ number: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(number))
    return (0..<42).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

extension Storage {
    /// Commits records of 280 bytes in one transaction.
    fileprivate func put(records: Range<Int>) async throws {
        let rows = records.map { number in
            (key: key(number), value: key(number + 1_000_000) + [UInt8](repeating: 7, count: 238))
        }
        _ = try await write(.synced) { transaction in
            for row in rows { try transaction.put(row.value, for: row.key) }
        }
    }
}
