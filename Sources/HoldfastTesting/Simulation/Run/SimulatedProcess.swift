import Holdfast
import HoldfastStorage
import HoldfastSync

/// A running app: its open store, and the machine that syncs it.
struct SimulatedProcess {
    let store: Store
    let machine: SyncMachine
    let scheduler: HeldScheduler
    /// One for each table that is synced, and for the ledger.
    let watchers: [SimulatedWatcher]
    /// The last commit that the store had when it was opened.
    let found: SequenceNumber

    /// Starts the app on a disk.
    ///
    /// - Throws: What opening the store throws.
    static func start(
        on disk: SimulatedDisk,
        path: String,
        schema: Schema,
        environment: SyncEnvironment,
        configuration: SyncConfiguration,
        credentials: SyncCredentials
    ) async throws -> SimulatedProcess {
        let scheduler = HeldScheduler()
        let storage = try await JournalStorage.open(
            at: path,
            configuration: journal(disk, scheduler, environment.random)
        )
        do {
            let found = try storage.snapshot().sequenceNumber
            let store = try await Store(
                storage: storage,
                schema: schema.planting(configuration.faults),
                ids: environment.ids
            )
            let machine = try await SyncMachine(
                store: store,
                configuration: configuration,
                environment: environment,
                credentials: credentials
            )
            return SimulatedProcess(
                store: store,
                machine: machine,
                scheduler: scheduler,
                watchers: try (schema.tables + [Table(LedgerEntry.table)]).map {
                    try SimulatedWatcher(of: $0, in: store)
                },
                found: found
            )
        } catch {
            try? await storage.close()
            throw error
        }
    }

    private static func journal(
        _ disk: SimulatedDisk,
        _ scheduler: HeldScheduler,
        _ random: @escaping @Sendable () -> UInt64
    ) -> JournalConfiguration {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = scheduler
        configuration.random = random
        configuration.owner = "1"
        configuration.firstSegmentBytes = 131_072
        configuration.largestSegmentBytes = 524_288
        configuration.checkpointTailBytes = 262_144
        configuration.checkpointCloseBytes = 65_536
        configuration.valueCacheBytes = 256 << 10
        configuration.reserveBytes = 0
        return configuration
    }
}
