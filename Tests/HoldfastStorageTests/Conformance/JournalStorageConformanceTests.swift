import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct JournalStorageConformanceTests {
    @Test(arguments: StorageConformance.checks)
    func journalStorageKeepsThePromise(_ check: StorageConformance.Check) async throws {
        try await check.run {
            var configuration = JournalConfiguration()
            configuration.fileSystem = SimulatedDisk()
            configuration.firstSegmentBytes = 32_768
            return try await JournalStorage.open(at: "store", configuration: configuration)
        }
    }
}
