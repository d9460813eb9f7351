import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct JournalStorageTests {
    private static func configuration(_ disk: SimulatedDisk) -> JournalConfiguration {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.firstSegmentBytes = 16_384
        configuration.largestSegmentBytes = 16_384
        return configuration
    }

    @Test func whatWasCommittedIsThereAfterClosingAndOpening() async throws {
        let disk = SimulatedDisk()
        var storage = try await JournalStorage.open(
            at: "store",
            configuration: Self.configuration(disk)
        )
        for number in 1...100 {
            try await storage.put("value \(number)", for: "key \(number)")
        }
        try await storage.close()
        storage = try await JournalStorage.open(
            at: "store",
            configuration: Self.configuration(disk)
        )
        #expect(storage.recoveryReport.wasClosed)
        for number in 1...100 {
            #expect(try storage.value(for: "key \(number)") == "value \(number)")
        }
    }

    @Test func whatWasCommittedIsThereAfterAKill() async throws {
        let disk = SimulatedDisk()
        let storage = try await JournalStorage.open(
            at: "store",
            configuration: Self.configuration(disk)
        )
        for number in 1...300 {
            try await storage.put("value \(number)", for: "key \(number)")
        }
        let reopened = try await JournalStorage.open(
            at: "store",
            configuration: Self.configuration(disk.image().afterKill())
        )
        #expect(!reopened.recoveryReport.wasClosed)
        for number in 1...300 {
            #expect(try reopened.value(for: "key \(number)") == "value \(number)")
        }
    }
}
