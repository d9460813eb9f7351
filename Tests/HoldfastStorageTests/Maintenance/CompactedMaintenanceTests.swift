import HoldfastStorage
import HoldfastTesting
import Testing

/// What looks after a store, on one whose journal has holes where compaction gave segments up.
@Suite struct CompactedMaintenanceTests {
    private static let keys = 20

    /// Writes numbers, each to the next of a few keys, and deletes every seventh key.
    private static func write(_ numbers: ClosedRange<Int>, to storage: JournalStorage) async throws
    {
        for number in numbers {
            let key = "key \(number % keys)"
            if number % 7 == 0 {
                try await storage.delete(key)
            } else {
                let value = "\(number) " + String(repeating: "x", count: 150)
                let durability: Durability = number % 3 == 0 ? .synced : .buffered
                try await storage.put(value, for: key, durability)
            }
        }
    }

    /// The values' numbers by key after so many commits, of which none is without effect.
    private static func model(_ last: Int) -> [String: Int] {
        var model: [String: Int] = [:]
        for number in 1...max(last, 1) where number <= last {
            model["key \(number % keys)"] = number % 7 == 0 ? nil : number
        }
        return model
    }

    private static func numbers(_ contents: [String: String]) -> [String: Int] {
        contents.compactMapValues { Int($0.prefix { $0 != " " }) }
    }

    /// A store with a hole or more, and live records before and behind.
    private static func compacted() async throws -> (TestStore, JournalStorage) {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...30 {
            try await storage.put(TestStore.filler(number), for: "old \(number)")
        }
        for round in 0..<8 {
            for number in 1...20 {
                try await storage.put(TestStore.filler(round), for: "hot \(number)")
            }
            try await storage.put(TestStore.filler(round), for: "cold \(round)")
        }
        for number in 1...10 { try await storage.delete("old \(number)") }
        try await storage.compact()
        for number in 1...20 { try await storage.put("last", for: "hot \(number)") }
        return (store, storage)
    }

    @Test(arguments: [true, false])
    func aBackupHasTheHolesOfItsOrigin(links: Bool) async throws {
        let (store, storage) = try await Self.compacted()
        let expected = try storage.contents()
        #expect(expected.count == 48)
        let report = try await storage.backup(to: "copy", linking: links) { _ in }
        #expect(report.segments == (try storage.statistics().segments))
        #expect(store.disk.paths.contains("copy/retired"))
        let findings = try JournalVerifier.verify(
            at: "copy",
            configuration: store.configuration
        ).findings
        #expect(findings == [])
        let copy = try await JournalStorage.open(at: "copy", configuration: store.configuration)
        #expect(try copy.contents() == expected)
        for number in 1...60 { try await copy.put(TestStore.filler(number), for: "own") }
        try await copy.compact()
        #expect(try await copy.verify().isIntact)
        #expect(try copy.contents().count == 49)
        #expect(try storage.contents() == expected)
        #expect(try await storage.verify().isIntact)
        await store.scheduler.run(for: .milliseconds(20))
        let second = try await store.follow().backup(to: "second", linking: links) { _ in }
        #expect(second.last == report.last)
    }

    @Test(arguments: [true, false])
    func backupsWhileCompactionRunsAreEachAPrefix(fromOutside: Bool) async throws {
        let store = TestStore()
        let storage = try await store.open()
        var lasts: [UInt64] = []
        for index in 0..<6 {
            let numbers = index * 85 + 1...(index + 1) * 85
            async let written: Void = Self.write(numbers, to: storage)
            async let compacted = storage.compact()
            let report =
                fromOutside
                ? try await store.follow().backup(to: "copy \(index)")
                : try await storage.backup(to: "copy \(index)")
            lasts.append(report.last.rawValue)
            _ = try await (written, compacted)
        }
        #expect(try storage.statistics().compaction.retiredSegments > 0)
        for (index, last) in lasts.enumerated() {
            let copy = try await JournalStorage.open(
                at: "copy \(index)",
                configuration: store.configuration
            )
            #expect(copy.recoveryReport.last.rawValue == last)
            // Deletes of what was not there take no number.
            let found = Self.numbers(try copy.contents())
            let newest = found.values.max() ?? 0
            let possible = (newest...newest + 1).map(Self.model)
            #expect(possible.contains(found), "backup \(index) at \(last)")
            #expect(try await copy.verify().isIntact)
        }
    }

    @Test func everythingIsRightAfterCompactionAndSoItIsSaid() async throws {
        let (store, storage) = try await Self.compacted()
        let report = try await storage.verify()
        #expect(report.isIntact && report.records == 48)
        storage.startScrub(bytesPerSecond: 1 << 20, pause: .seconds(100))
        await store.scheduler.run(for: .seconds(50))
        #expect(storage.scrubReport.rounds == 1 && storage.scrubReport.findings == [])
        #expect(try await store.follow().verify().isIntact)
    }

    @Test func statisticsTellWhatCompactionDid() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...30 {
            try await storage.put(TestStore.filler(number), for: "key \(number)")
        }
        for number in 1...200 {
            try await storage.put(TestStore.filler(number), for: "key \(number % 15)")
        }
        let before = try storage.statistics()
        #expect(before.feedFloor == .zero && before.compaction.retiredSegments == 0)
        var held = try storage.snapshot()
        try await storage.compact()
        let after = try storage.statistics()
        #expect(after.compaction.retiredSegments > 3)
        #expect(after.compaction.movedEntries > 0 && after.compaction.movedBytes > 200)
        #expect(after.compaction.waitingSegments > 0)
        #expect(after.garbageRatio < before.garbageRatio)
        #expect(after.feedFloor > .zero && after.segments < before.segments)
        #expect(after.liveBytes == before.liveBytes)
        held = try storage.snapshot()
        #expect(held.count == after.records)
        await store.scheduler.run(for: .seconds(5))
        #expect(try storage.statistics().compaction.waitingSegments == 0)
    }

    @Test func salvageFindsWhatWasMovedAndCallsNothingLostThatWasGivenUp() async throws {
        let (store, storage) = try await Self.compacted()
        let expected = try storage.contents()
        try await storage.close()
        let (report, contents) = try await store.salvaged()
        #expect(report.findings == [] && report.lost == [])
        #expect(contents == expected)
    }

    @Test func salvageOfSegmentsWithoutHeadersFindsWhatWasMoved() async throws {
        let (store, storage) = try await Self.compacted()
        let expected = try storage.contents()
        try await storage.close()
        for path in store.disk.paths where path.hasSuffix(".segment") {
            try store.disk.fill(0..<8_192, of: path, with: 0xAA)
        }
        let (_, contents) = try await store.salvaged()
        #expect(contents == expected)
    }
}
