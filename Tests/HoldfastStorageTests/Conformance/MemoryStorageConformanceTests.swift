import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct MemoryStorageConformanceTests {
    @Test(.timeLimit(.minutes(20)), arguments: StorageConformance.checks)
    func memoryStorageKeepsThePromise(_ check: StorageConformance.Check) async throws {
        try await check.run { MemoryStorage() }
    }
}
