package import Holdfast

/// What a machine takes from outside besides time: randomness, names, and a clock for people.
package struct SyncEnvironment: Sendable {
    /// 64 random bits.
    package var random: @Sendable () -> UInt64
    /// Mints the keys of mutations, and replicas' names.
    package var ids: RecordIDGenerator
    /// Milliseconds since 1970, for people alone: no decision depends on it.
    package var wallClock: @Sendable () -> Int64

    package init(
        random: @escaping @Sendable () -> UInt64,
        ids: RecordIDGenerator,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.random = random
        self.ids = ids
        self.wallClock = wallClock
    }

    /// A new key.
    package func key() -> MutationKey { MutationKey(ids.next().text) }
}
