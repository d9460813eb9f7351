import HoldfastStorage
import HoldfastTesting
import Testing

/// Scenarios C1, C9, C13, C22, C25 and C26: damage is reported, and nothing is made worse.
@Suite struct DamageScenarioTests {
    private static func expectCorruption(
        _ store: TestStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try store.files()
        #expect(
            await code { _ = try await store.open() } == .corruption,
            sourceLocation: sourceLocation
        )
        #expect(
            await code { _ = try await store.follow() } == .corruption,
            sourceLocation: sourceLocation
        )
        #expect(try store.files() == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: [9_000, 10_500, 11_900])
    func salvageBringsBackEveryRecordOutsideTheDamage(_ offset: Int) async throws {
        let store = try await TestStore.filled()
        try store.disk.flipBit(offset * 8, of: TestStore.segment(2))
        try await Self.expectCorruption(store)
        #expect(try !store.verify().isIntact)
        let report = try await JournalSalvage.salvage(
            from: TestStore.path,
            to: "saved",
            configuration: store.configuration
        )
        #expect(!report.findings.isEmpty)
        let saved = try await JournalStorage.open(at: "saved", configuration: store.configuration)
        let contents = try saved.contents()
        #expect(contents.count >= 44)
        for (key, value) in contents {
            #expect(value == TestStore.filler(Int(key.dropFirst(4)) ?? 0))
        }
    }

    @Test func aLostSegmentIsReportedWithTheCommitsThatAreMissing() async throws {
        for number in [1, 2] {
            let store = try await TestStore.filled()
            try store.disk.remove(TestStore.segment(number))
            try await Self.expectCorruption(store)
            #expect(try store.verify().findings.contains { $0.kind == .segment })
        }
    }

    @Test func aLostNewestSegmentIsReported() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...45 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        let killed = TestStore(store.disk.image().afterKill())
        let newest = try #require(killed.disk.paths.filter { $0.hasSuffix(".segment") }.max())
        try killed.disk.remove(newest)
        try await Self.expectCorruption(killed)
    }

    @Test func allSegmentsLostIsReportedAndNothingIsReset() async throws {
        let store = try await TestStore.filled()
        for path in store.disk.paths where path.hasSuffix(".segment") {
            try store.disk.remove(path)
        }
        try await Self.expectCorruption(store)
    }

    @Test func aSegmentCutOnAFrameBoundaryIsReported() async throws {
        let store = try await TestStore.filled()
        // One frame of a filler record is 48 bytes and an entry, to a multiple of eight.
        try store.disk.truncate(TestStore.segment(1), to: 8_192 + 264)
        try await Self.expectCorruption(store)
    }

    @Test func aClosedJournalCutOnAFrameBoundaryIsReported() async throws {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put("1", for: "first")
        let end = 8_192 + 48 + 24
        try await storage.put("2", for: "second")
        try await storage.close()
        try store.disk.truncate(TestStore.segment(1), to: end)
        try await Self.expectCorruption(store)
    }

    @Test func aZeroedTailOfASealedSegmentIsReported() async throws {
        let store = try await TestStore.filled()
        try store.disk.fill(11_264..<12_288, of: TestStore.segment(1), with: 0)
        try await Self.expectCorruption(store)
    }

    @Test func aSegmentThatAnotherProcessCutIsAnErrorAndNoSignal() async throws {
        let store = TestStore()
        var configuration = store.configuration
        configuration.valueCacheBytes = 0
        let storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        for number in 1...20 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        try store.disk.truncate(TestStore.segment(1), to: 9_000)
        #expect(await code { _ = try storage.value(for: "15") } == .corruption)
        #expect(try storage.value(for: "1") == TestStore.filler(1))
    }

    @Test func rotInASealedSegmentIsFoundByVerifyAndCostsOneKey() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try store.disk.flipBit((8_192 + 48 + 100) * 8, of: TestStore.segment(1))
        #expect(await code { _ = try storage.value(for: "key 1") } == .corruption)
        for number in 2...45 {
            #expect(try storage.value(for: "key \(number)") == TestStore.filler(number))
        }
        let finding = try #require(try store.verify().findings.first)
        #expect(finding.file == "0000000000000001.segment" && finding.offset == 8_192)
    }

    @Test func aScanOverAnUnreadableRecordThrowsAndKeepsThrowing() async throws {
        let store = try await TestStore.filled()
        let storage = try await store.open()
        try store.disk.flipBit((8_192 + 48 + 100) * 8, of: TestStore.segment(1))
        let snapshot = try storage.snapshot()
        for _ in 1...3 {
            var seen = 0
            let failure = await code {
                try snapshot.scan(.all, .forward) { _, _ in
                    seen += 1
                    return true
                }
            }
            #expect(failure == .corruption)
            #expect(seen == 0)
        }
    }

    @Test func aNewerVersionIsRefusedAndLeftByteIdentical() async throws {
        for path in [TestStore.segment(1), TestStore.segment(3), TestStore.path + "/identity"] {
            let store = try await TestStore.filled()
            try store.disk.raiseVersion(of: path)
            let before = try store.files()
            #expect(await code { _ = try await store.open() } == .unsupportedVersion)
            #expect(await code { _ = try await store.follow() } == .unsupportedVersion)
            #expect(try store.files() == before)
        }
    }

    @Test func aLostIdentityIsReportedAndTheSegmentsAreLeftAlone() async throws {
        let store = try await TestStore.filled()
        try store.disk.remove(TestStore.path + "/identity")
        try await Self.expectCorruption(store)
    }

    @Test func aForeignSegmentIsReported() async throws {
        let store = try await TestStore.filled()
        let other = try await TestStore.filled()
        let bytes = try other.disk.contents(of: TestStore.segment(2))
        try store.disk.replace(TestStore.segment(2), with: bytes)
        try await Self.expectCorruption(store)
    }
}

extension SimulatedDisk {
    /// Makes a file's header say version 2, with a check that holds.
    fileprivate func raiseVersion(of path: String) throws {
        var bytes = try contents(of: path)
        for start in [0, 4_096] where start < bytes.count {
            let length = Int(bytes[start + 12])
            bytes[start + 8] = 2
            let check = CRC32C.checksum(of: unsafe bytes[start..<start + length - 4].span.bytes)
            for byte in 0..<4 {
                bytes[start + length - 4 + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte))
            }
        }
        try replace(path, with: bytes)
    }
}
