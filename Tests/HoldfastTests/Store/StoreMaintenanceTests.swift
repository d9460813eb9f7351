import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct StoreMaintenanceTests {
    private let disk = SimulatedDisk()

    private var options: StoreOptions {
        var options = StoreOptions()
        options.journal.fileSystem = disk
        options.journal.scheduler = HeldScheduler()
        options.journal.firstSegmentBytes = 16 << 10
        options.journal.largestSegmentBytes = 16 << 10
        return options
    }

    private func filled() async throws -> Store {
        let store = try await Store.open(at: "store", options: options)
        for number in 1...100 as ClosedRange<Int64> {
            try await store.write(.buffered) { transaction in
                try transaction.put(["id": .integer(number), "n": .integer(number % 9)], in: "t")
            }
        }
        try await store.createIndex(Index("n"), on: "t")
        return store
    }

    @Test func aBackupHasTheRecordsAndTheIndexesOfItsMoment() async throws {
        let store = try await filled()
        let report = try await store.backup(to: "copy")
        #expect(report.last == (try store.sequenceNumber))
        try await store.write { try $0.delete("1", in: "t") }
        let copy = try await Store.open(at: "copy", options: options)
        #expect(try copy.read { try $0.count(of: "t") } == 100)
        #expect(try copy.indexes(of: "t") == [Index("n")])
        #expect(copy.storeID == store.storeID && copy.storeID != nil)
        #expect(copy.replicaID != store.replicaID && copy.replicaID != nil)
        #expect(try store.read { try $0.count(of: "t") } == 99)
        try await copy.close()
        try await store.close()
    }

    @Test func aReaderBacksUpChecksAndCountsToo() async throws {
        let store = try await filled()
        try await store.close()
        var options = options
        options.access = .read
        let reader = try await Store.open(at: "store", options: options)
        #expect(try await reader.backup(to: "copy", linking: false).copiedBytes > 0)
        let report = try await reader.verify()
        #expect(report.isIntact && report.records == 100 && report.indexEntries == 100)
        #expect(try reader.statistics()?.activity.writes == 0)
        let error = await #expect(throws: StoreError.self) { try await reader.compact() }
        #expect(error?.code == .readOnly)
    }

    @Test func verifyingFindsARecordThatIsNoDocument() async throws {
        let store = try await filled()
        #expect(try await store.verify().isIntact)
        _ = try await store.storage.write(.synced) { transaction in
            try transaction.put([0xFF, 1, 2], for: Array("t".utf8) + [0] + Array("bad".utf8))
        }
        let report = try await store.verify()
        #expect(report.findings.map(\.kind) == [.record])
        #expect(report.findings.first?.file == Finding.noFile)
        #expect(report.records == 101)
    }

    @Test func compactingGivesSpaceBackAndKeepsEveryRecord() async throws {
        let store = try await filled()
        for round in 1...20 as ClosedRange<Int64> {
            try await store.write { transaction in
                for number in 1...100 as ClosedRange<Int64> {
                    try transaction.put(["id": .integer(number), "n": .integer(round)], in: "t")
                }
            }
        }
        let before = try #require(try store.statistics())
        try await store.compact()
        let after = try #require(try store.statistics())
        #expect(after.journalBytes < before.journalBytes)
        #expect(after.compaction.retiredSegments > 0)
        #expect(try store.read { try $0.count(of: "t") } == 100)
        #expect(try await store.verify().isIntact)
    }

    @Test func aScrubReportsThroughItsCallbackAndTheStatistics() async throws {
        let store = try await filled()
        store.startScrub(bytesPerSecond: 1 << 20)
        #expect(try store.statistics()?.scrub.isRunning == true)
        store.stopScrub()
        #expect(try store.statistics()?.scrub.isRunning == false)
    }

    @Test func aStoreInMemoryHasNoFilesToLookAfter() async throws {
        let store = try await Store(storage: MemoryStorage())
        #expect(store.storeID == nil && store.replicaID == nil)
        #expect(try store.statistics() == nil)
        for work in [
            { _ = try await store.backup(to: "copy") }, { _ = try await store.verify() },
            { try await store.compact() },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: StoreError.self) { try await work() }
            #expect(error?.code == .inMemory)
        }
        store.startScrub()
        store.stopScrub()
    }
}
