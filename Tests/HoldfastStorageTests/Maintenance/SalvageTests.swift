import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct SalvageTests {
    enum Loss: CaseIterable {
        case removed, headless, blank

        func strike(_ path: String, on disk: SimulatedDisk) throws {
            switch self {
            case .removed: try disk.remove(path)
            case .headless: try disk.fill(0..<8_192, of: path, with: 0xAA)
            case .blank: try disk.fill(0..<65_536, of: path, with: 0)
            }
        }
    }

    @Test(arguments: Loss.allCases)
    func everyRecordOutsideALostSegmentComesBack(_ loss: Loss) async throws {
        let intact = try await TestStore.uneven(120)
        let numbers = try intact.commitsBySegment()
        try #require(numbers.count >= 8)
        for (segment, lost) in numbers {
            let store = TestStore(intact.disk.image().afterKill())
            try loss.strike(TestStore.segment(Int(segment)), on: store.disk)
            let (report, contents) = try await store.salvaged()
            // Without its header a segment still has its entries.
            let gone = loss == .headless ? [] : lost
            let expected = Set((1...120).filter { !gone.contains($0) }.map { "key \($0)" })
            #expect(Set(contents.keys) == expected, "segment \(segment)")
            #expect(contents.allSatisfy { $1 == TestStore.unevenFiller(Int($0.dropFirst(4)) ?? 0) })
            #expect(report.records == expected.count)
            let numbers = gone.map { UInt64($0) }.sorted()
            let ranges = report.lost.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }
            #expect(ranges == (numbers.isEmpty ? [] : [numbers[0]...numbers[numbers.count - 1]]))
        }
    }

    @Test func withoutAnyHeaderTheEntriesOfAllSegmentsComeBack() async throws {
        let store = try await TestStore.uneven(60)
        let storage = try await store.open()
        try await storage.put("newer", for: "key 7")
        try await storage.delete("key 8")
        try await storage.close()
        for path in store.disk.paths where path.hasSuffix(".segment") {
            try store.disk.fill(0..<8_192, of: path, with: 0xAA)
        }
        let (report, contents) = try await store.salvaged()
        #expect(contents.count == 59)
        #expect(contents["key 7"] == "newer" && contents["key 8"] == nil)
        #expect(report.lost == [])
    }

    @Test func anEntryIsFoundInAHeadlessSegmentBesideDamagedFrames() async throws {
        let store = try await TestStore.filled(120)
        let numbers = try store.commitsBySegment()
        let third = try #require(numbers[3]).sorted()
        try store.disk.fill(0..<8_192, of: TestStore.segment(3), with: 0xAA)
        // The header of the second frame, and the value of the fourth: each takes 264 bytes.
        try store.disk.fill(8_192 + 264..<8_192 + 300, of: TestStore.segment(3), with: 0)
        try store.disk.flipBit((8_192 + 3 * 264 + 150) * 8, of: TestStore.segment(3))
        let (report, contents) = try await store.salvaged()
        let expected = (1...120).filter { $0 != third[3] }.map { "key \($0)" }
        #expect(Set(contents.keys) == Set(expected))
        #expect(report.lost.count == 1)
        #expect(report.lost.first?.lowerBound.rawValue == UInt64(third[3]))
    }

    @Test func anOlderVersionThatStandsLaterDoesNotWin() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...60 { try await storage.put("old \(number)", for: "key \(number % 5)") }
        for number in 61...120 {
            try await storage.put(TestStore.filler(number), for: "key \(number % 5)")
        }
        let expected = try storage.contents()
        try await storage.close()
        // A file restored under a later number than it had.
        let last = store.disk.paths.filter { $0.hasSuffix(".segment") }.count
        try store.disk.duplicate(TestStore.segment(1), as: TestStore.segment(last + 1))
        try store.disk.fill(0..<8_192, of: TestStore.segment(last + 1), with: 0xAA)
        #expect(try await store.salvaged().1 == expected)
    }

    @Test func aSalvageThatIsStoppedLeavesNothingAndTakesNoName() async throws {
        struct Stop: Error {}
        let store = try await TestStore.filled(120)
        let before = store.disk.paths
        await #expect(throws: Stop.self) {
            _ = try await JournalSalvage.salvage(
                from: TestStore.path,
                to: "saved",
                configuration: store.configuration
            ) { progress in
                if progress.completed > 10_000 { throw Stop() }
            }
        }
        #expect(store.disk.paths == before)
        try store.disk.createDirectory("saved")
        let failure = await code { _ = try await store.salvaged() }
        #expect(failure == .alreadyExists)
        #expect(store.disk.paths == before)
    }

    @Test(arguments: Loss.allCases)
    func aLostSegmentIsNoDamageToTheOnesBesideIt(_ loss: Loss) async throws {
        let intact = try await TestStore.uneven(120)
        for (segment, _) in try intact.commitsBySegment() {
            let store = TestStore(intact.disk.image().afterKill())
            let path = TestStore.segment(Int(segment))
            try loss.strike(path, on: store.disk)
            let findings = try store.verify().findings
            #expect(findings.allSatisfy { $0.kind == .missing || path.hasSuffix($0.file) })
            #expect(findings.contains { $0.kind == .missing })
            #expect(!findings.contains { $0.kind == .frame })
        }
    }

    @Test func damageBeforeALostSegmentTakesOneRecord() async throws {
        let store = try await TestStore.filled(120)
        let numbers = try store.commitsBySegment()
        let (third, lost) = (try #require(numbers[3]), try #require(numbers[4]))
        try store.disk.remove(TestStore.segment(4))
        // Into the value of the third frame: each takes 264 bytes.
        try store.disk.flipBit((8_192 + 2 * 264 + 150) * 8, of: TestStore.segment(3))
        let (report, contents) = try await store.salvaged()
        #expect(report.findings.filter { $0.kind == .frame }.map(\.offset) == [8_192 + 2 * 264])
        let damaged = third.sorted()[2]
        let expected = (1...120).filter { !lost.contains($0) && $0 != damaged }
        #expect(Set(contents.keys) == Set(expected.map { "key \($0)" }))
    }

    @Test func whatARecoveryLeftBehindBeforeALostSegmentIsNoDamage() async throws {
        let killed = try await TestStore.killed(proven: 5, unproven: 3)
        let storage = try await killed.open()
        for number in 9...60 {
            try await storage.put(TestStore.filler(number), for: "key \(number)")
        }
        try await storage.close()
        let numbers = try killed.commitsBySegment()
        try killed.disk.remove(TestStore.segment(2))
        let lost = Set(try #require(numbers[2])).subtracting(1...8)
        #expect(try killed.verify().findings.map(\.kind) == [.segment, .missing])
        let (_, contents) = try await killed.salvaged()
        let expected = Set(1...60).subtracting(lost).map { "key \($0)" }
        #expect(Set(contents.keys) == Set(expected))
    }

    @Test func framesThatWereGivenUpDoNotComeBackBeforeALostSegment() async throws {
        var store = try await TestStore.killed(proven: 5, unproven: 3)
        // The first frame that was not proven is torn: those behind it are given up.
        try store.disk.flipBit((8_192 + 5 * 264 + 150) * 8, of: TestStore.segment(1))
        try await store.open().put("6", for: "new", .buffered)
        store = TestStore(store.disk.image().afterKill())
        try await store.open().close()
        try store.disk.remove(TestStore.segment(2))
        #expect(try store.verify().findings.map(\.kind) == [.segment])
        let (_, contents) = try await store.salvaged()
        #expect(Set(contents.keys) == Set((1...5).map { "key \($0)" } + ["new"]))
    }

    @Test func largeValuesAreSavedInTransactionsOfAFewMebibytes() async throws {
        let store = TestStore()
        var configuration = store.configuration
        configuration.firstSegmentBytes = 16 << 20
        configuration.largestSegmentBytes = 16 << 20
        let storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        let value = String(repeating: "x", count: 1_100_000)
        for number in 1...7 { try await storage.put(value, for: "\(number)", .buffered) }
        try await storage.close()
        let report = try await JournalSalvage.salvage(
            from: TestStore.path,
            to: "saved",
            configuration: configuration
        )
        #expect(report.records == 7 && report.findings.isEmpty)
        var lengths: [Int] = []
        try JournalInspector(at: "saved", configuration: configuration).inspect { event, payload in
            switch event {
            case .frame(_, _, let header) where header.kind == .transaction:
                lengths.append(payload.byteCount)
            default: break
            }
        }
        #expect(lengths.count == 3)
        #expect(lengths.allSatisfy { $0 <= 4 << 20 })
    }
}
