public import HoldfastStorage

/// One step of a workload whose crashes are tried.
public enum CrashOperation: Hashable, Sendable {
    /// A transaction.
    case commit([CrashWrite], Durability)
    /// Time passes: background work that falls due runs.
    case wait(Duration)
    /// The store is closed and opened again.
    case reopen
    /// Something that the engine is told to do; ``CrashSubject/actions`` has the names.
    case action(String)
}

extension CrashOperation {
    /// A transaction that sets one key.
    public static func put(
        _ key: UInt8,
        length: Int = 8,
        _ durability: Durability = .synced
    ) -> CrashOperation {
        .commit([.put(key: key, length: length)], durability)
    }

    /// A transaction that removes one key.
    public static func delete(
        _ key: UInt8,
        _ durability: Durability = .synced
    ) -> CrashOperation {
        .commit([.delete(key: key)], durability)
    }

    /// A workload that `seed` decides: what it does, and how often it does what.
    ///
    /// - Parameters:
    ///   - count: How many operations.
    ///   - seed: What everything follows from.
    ///   - longest: The greatest length of a value.
    ///   - actions: The names of what the engine may be told to do.
    /// - Returns: The operations.
    public static func random(
        count: Int,
        seed: UInt64,
        longest: Int = 600,
        actions: [String] = []
    ) -> [CrashOperation] {
        var random = SplitMix64(seed: seed)
        let mixture = CrashMixture(longest: longest, actions: actions, &random)
        return (0..<count).map { _ in mixture.operation(&random) }
    }
}

extension CrashOperation: CustomStringConvertible {
    /// Such as `put 1:8, delete 2 (synced)`.
    public var description: String {
        switch self {
        case .commit(let writes, let durability): "\(writes) \(durability)"
        case .wait(let time): "wait \(time)"
        case .reopen: "reopen"
        case .action(let name): name
        }
    }
}
