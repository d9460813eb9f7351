public import HoldfastStorage

/// One step of a workload whose crashes are tried.
public enum CrashOperation: Hashable, Sendable {
    /// A transaction.
    case commit([CrashWrite], Durability)
    /// Time passes: background work that falls due runs.
    case wait(Duration)
    /// The store is closed and opened again.
    case reopen
    /// A checkpoint is written.
    case checkpoint
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

    /// A workload that `seed` decides.
    public static func random(
        count: Int,
        seed: UInt64,
        longest: Int = 600
    ) -> [CrashOperation] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            switch random.next(below: 16) {
            case 0: return .reopen
            case 1: return .wait(.milliseconds(20))
            case 2: return .wait(.seconds(1))
            default: break
            }
            let writes = (0...random.next(below: 3)).map { _ -> CrashWrite in
                let key = UInt8(random.next(below: 8))
                if random.next(below: 4) == 0 { return .delete(key: key) }
                let bound = random.next(below: 4) == 0 ? longest : 40
                return .put(key: key, length: 8 + random.next(below: bound))
            }
            let durabilities: [Durability] = [.synced, .synced, .ordered, .buffered, .buffered]
            return .commit(writes, durabilities[random.next(below: durabilities.count)])
        }
    }
}

extension CrashOperation: CustomStringConvertible {
    /// Such as `put 1:8, delete 2 (synced)`.
    public var description: String {
        switch self {
        case .commit(let writes, let durability): "\(writes) \(durability)"
        case .wait(let time): "wait \(time)"
        case .reopen: "reopen"
        case .checkpoint: "checkpoint"
        }
    }
}
