import Holdfast
import HoldfastStorage

/// How a check opens stores on its disks.
enum MigrationStore {
    static let path = "store"

    static func open(
        _ disk: SimulatedDisk,
        _ schema: Schema?,
        _ access: StoreOptions.Access = .create
    ) async throws -> Store {
        let random = SeededRandom(seed: 1)
        var options = StoreOptions(access: access)
        options.journal.fileSystem = disk
        options.journal.scheduler = HeldScheduler()
        options.journal.random = { random.next() }
        options.journal.owner = "1"
        options.journal.firstSegmentBytes = 65_536
        options.journal.largestSegmentBytes = 65_536
        return try await Store.open(at: path, schema: schema, options: options)
    }

    /// Opens the store, runs `body` and closes it, whatever happens.
    static func with<Result: Sendable>(
        _ disk: SimulatedDisk,
        _ schema: Schema?,
        _ access: StoreOptions.Access = .create,
        _ body: (Store) throws -> Result
    ) async throws -> Result {
        let store = try await open(disk, schema, access)
        let result: Result
        do {
            result = try body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return result
    }
}
