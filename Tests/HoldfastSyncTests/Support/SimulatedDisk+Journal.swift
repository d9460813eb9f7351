import HoldfastStorage
import HoldfastTesting

extension SimulatedDisk {
    /// A journal on the disk, as an app opens it.
    func openJournal(
        _ path: String = "store",
        owner: String = "1",
        seed: UInt64 = 1
    ) async throws -> JournalStorage {
        let random = SharedRandom(seed: seed &+ UInt64(path.utf8.count))
        var configuration = JournalConfiguration()
        configuration.fileSystem = self
        configuration.scheduler = HeldScheduler()
        configuration.random = { random.next() }
        configuration.owner = owner
        configuration.firstSegmentBytes = 131_072
        configuration.largestSegmentBytes = 524_288
        configuration.reserveBytes = 0
        return try await JournalStorage.open(at: path, configuration: configuration)
    }
}
