import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct VerificationTests {
    @Test(arguments: [UInt32(0x10_0000), .max])
    func aGapInTheSegmentsIsOneFindingHoweverLong(_ number: UInt32) async throws {
        let store = try await TestStore.filled()
        let segments = try store.verify().segments
        try store.disk.replace(TestStore.segment(Int(number)), with: [])
        let findings = try store.verify().findings
        #expect(findings.count == 1)
        let last = number - 1
        #expect(findings.first?.detail == "Segments \(segments + 1) to \(last) are missing.")
        let (report, contents) = try await store.salvaged()
        #expect(report.findings == findings)
        #expect(contents.count == 45)
    }

    @Test func aBlankSegmentIsSaidToBeBlankAndNotMissing() async throws {
        for number in [1, 2] {
            let store = try await TestStore.filled()
            try store.disk.fill(0..<65_536, of: TestStore.segment(number), with: 0)
            let finding = try #require(try store.verify().findings.first)
            #expect(finding.kind == .segment)
            #expect(finding.detail.contains("segment \(number) is there and blank"))
        }
    }

    @Test func aBlankOnlySegmentIsReported() async throws {
        let store = TestStore()
        try await store.open().close()
        try store.disk.fill(0..<65_536, of: TestStore.segment(1), with: 0)
        let findings = try store.verify().findings
        #expect(findings.count == 1 && findings.first?.kind == .segment)
    }

    @Test func withoutASegmentTheCommitsThatWereThereAreReported() async throws {
        let store = try await TestStore.filled()
        for path in store.disk.paths where path.hasSuffix(".segment") {
            try store.disk.remove(path)
        }
        let findings = try store.verify().findings
        #expect(findings.map(\.kind) == [.segment, .missing])
        #expect(findings.last?.detail == "Commits 1 to 45 are missing.")
    }

    @Test(arguments: [1, 100, 512, 4_096, 4_200, 8_191])
    func aHeaderThatACrashLeftUnfinishedIsNoDamage(_ length: Int) async throws {
        let store = TestStore()
        let storage = try await store.open()
        await store.scheduler.run()
        store.disk.startRecording(images: true)
        for number in 1...40 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        let recording = store.disk.recording
        let steps = Array(zip(recording.calls.filter(\.isMutating), recording.images))
        var count = 0
        for ((call, before), (_, after)) in zip(steps, steps.dropFirst())
        where call.kind == .write && call.offset == 0 && call.count == 8_192 {
            let killed = TestStore(before.afterKill())
            var bytes = try killed.disk.contents(of: call.path)
            guard bytes.allSatisfy({ $0 == 0 }), !call.path.hasSuffix(".tmp") else { continue }
            let header = try after.afterKill().contents(of: call.path)
            bytes.replaceSubrange(0..<length, with: header[..<length])
            try killed.disk.replace(call.path, with: bytes)
            #expect(try killed.verify().findings == [])
            count += 1
        }
        #expect(count >= 2)
    }

    @Test func aDamagedCopyOfAHeaderOrTheIdentityIsReportedWhereItStands() async throws {
        for copy in 0...1 {
            let store = try await TestStore.filled()
            try store.disk.flipBit((copy * 4_096 + 20) * 8, of: TestStore.segment(2))
            try store.disk.flipBit((copy * 4_096 + 20) * 8, of: TestStore.path + "/identity")
            let findings = try store.verify().findings
            #expect(findings.map(\.kind) == [.identity, .header])
            #expect(findings.allSatisfy { $0.offset == copy * 4_096 })
        }
    }

    @Test func aDamagedWitnessIsReportedAndAMissingOneIsNot() async throws {
        let store = try await TestStore.filled()
        try store.disk.flipBit(400, of: TestStore.path + "/closed")
        #expect(try store.verify().findings.map(\.kind) == [.witness])
        try store.disk.remove(TestStore.path + "/closed")
        #expect(try store.verify().isIntact)
    }
}
