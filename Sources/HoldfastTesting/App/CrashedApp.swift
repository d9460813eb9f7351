import HoldfastStorage

/// How a ``CrashCheck`` opens its store.
struct CrashedApp {
    private static let path = "store"

    let scheduler = HeldScheduler()
    private let random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func open(_ disk: SimulatedDisk) async throws(StorageError) -> JournalStorage {
        try await JournalStorage.open(at: Self.path, configuration: configuration(disk))
    }

    /// - Throws: ``CrashViolation`` for the first damage in the files of a closed store.
    func verify(_ disk: SimulatedDisk) throws {
        let report = try JournalVerifier.verify(
            at: Self.path,
            configuration: configuration(disk)
        )
        guard let finding = report.findings.first else { return }
        throw CrashViolation("Verifying the closed store found \(finding).")
    }

    /// Segments are so small that an app's work fills some.
    private func configuration(_ disk: SimulatedDisk) -> JournalConfiguration {
        let random = random
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = scheduler
        configuration.random = { random.next() }
        configuration.owner = "1"
        configuration.firstSegmentBytes = 16_384
        configuration.largestSegmentBytes = 65_536
        configuration.checkpointTailBytes = 8_192
        configuration.checkpointCloseBytes = 1_024
        configuration.valueCacheBytes = 64 << 10
        configuration.reserveBytes = 0
        return configuration
    }
}
