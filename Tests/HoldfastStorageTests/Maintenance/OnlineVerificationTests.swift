import HoldfastStorage
import HoldfastTesting
import Synchronization
import Testing

@Suite struct OnlineVerificationTests {
    @Test func anOpenStoreIsCheckedWhileCommitsRun() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try await storage.setIndexes([Self.lengths(), Self.firstBytes])
        let writer = Task {
            for number in 46...200 {
                let durability: Durability = number % 3 == 0 ? .synced : .buffered
                try await storage.put(TestStore.filler(number), for: "key \(number)", durability)
            }
        }
        for _ in 0..<6 {
            let report = try await storage.verify()
            #expect(report.findings == [])
            let records = try #require(report.records)
            #expect(records >= 45)
            #expect(report.indexEntries == 2 * records)
        }
        try await writer.value
        let report = try await storage.verify()
        #expect(report.isIntact && report.records == 200 && report.indexEntries == 400)
        #expect(report.last.rawValue == 200)
        let follower = try await store.follow()
        #expect(try await follower.verify().isIntact)
    }

    @Test func anIndexThatLacksAndInventsEntriesIsFound() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        // No pure function: what it gives later differs for every third record.
        let shift = Mutex(false)
        try await storage.setIndexes([
            Self.firstBytes,
            Self.lengths { length in shift.withLock { $0 } && length % 3 == 0 ? 1 : 0 },
        ])
        #expect(try await storage.verify().isIntact)
        shift.withLock { $0 = true }
        let lengths = try storage.contents().values.filter { $0.utf8.count % 3 == 0 }
        try #require(!lengths.isEmpty)
        let report = try await storage.verify()
        #expect(report.findings.map(\.kind) == [.index])
        #expect(report.findings.first?.file == Finding.noFile)
        let detail = try #require(report.findings.first?.detail)
        #expect(detail.contains("lacks \(lengths.count) entries"))
        #expect(detail.contains("has \(lengths.count) that no"))
    }

    @Test func damageUnderAnOpenStoreIsFoundInTheFileAndInTheRecord() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        let offset = 8_192 + 2 * 264
        try store.disk.flipBit((offset + 150) * 8, of: TestStore.segment(2))
        let report = try await storage.verify()
        #expect(report.findings.map(\.kind) == [.frame, .record])
        #expect(report.findings.allSatisfy { $0.file == "0000000000000002.segment" })
        #expect(report.findings.first?.offset == UInt64(offset))
        #expect(report.records == 45)
        #expect(store.disk.counters.faults == 0)
    }

    @Test func aCheckThatIsStoppedThrowsWhatStoppedIt() async throws {
        struct Stop: Error {}
        let store = try await TestStore.filled(300)
        let storage = try await store.open()
        await #expect(throws: Stop.self) {
            _ = try await storage.verify { _ in throw Stop() }
        }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await storage.verify()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try await storage.close()
        #expect(await code { _ = try await storage.verify() } == .closed)
    }

    @Test func progressComesToItsTotal() async throws {
        let store = try await TestStore.filled(1_500)
        let storage = try await store.open()
        let seen = Mutex<[MaintenanceProgress]>([])
        _ = try await storage.verify { progress in seen.withLock { $0.append(progress) } }
        let states = seen.withLock { $0 }
        #expect(states.count > 5)
        #expect(zip(states, states.dropFirst()).allSatisfy { $0.completed <= $1.completed })
        let last = try #require(states.last)
        let total = try #require(last.total)
        #expect(last.completed <= total && last.completed > total / 2)
    }

    private static let firstBytes = IndexDefinition(name: "first", version: 1) { _, value, emit in
        emit(value.extracting(first: 1))
    }

    private static func lengths(
        _ change: @escaping @Sendable (Int) -> UInt8 = { _ in 0 }
    ) -> IndexDefinition {
        IndexDefinition(name: "length", version: 1) { key, value, emit in
            let length = value.byteCount
            let bytes = [change(length), UInt8(length >> 8), UInt8(length & 0xff)]
            unsafe emit(bytes.span.bytes)
        }
    }
}
