import HoldfastStorage

/// All that a store shows.
struct Observation: Equatable, Sendable {
    var state: CrashHistory.State = [:]
    /// The number of the last commit.
    var last = 0
    /// The last commits, as far as the change feed still tells them.
    var commits: [Commit] = []

    init() {}

    /// Reads all of a store.
    init(of storage: any Storage) throws {
        let snapshot = try storage.snapshot()
        var state: CrashHistory.State = [:]
        try snapshot.scan(.all, .forward) { key, value in
            state[[UInt8](key)] = [UInt8](value)
            return true
        }
        try CrashIndex.check(snapshot, of: state)
        self.state = state
        last = Int(snapshot.sequenceNumber.rawValue)
        commits = try Self.commits(of: storage, through: last)
        let numbers = commits.map { Int($0.sequenceNumber.rawValue) }
        guard snapshot.count == state.count,
            numbers.elementsEqual(last - commits.count + 1..<last + 1)
        else {
            throw CrashViolation(
                "The snapshot is at \(last) with \(snapshot.count) keys, the scan has"
                    + " \(state.count) keys, and the change feed the commits \(numbers)."
            )
        }
    }

    /// The commits from the feed floor on.
    private static func commits(
        of storage: any Storage,
        through last: Int
    ) throws -> [Commit] {
        var floor = 0..<last
        while true {
            do throws(StorageError) {
                let after = SequenceNumber(UInt64(floor.lowerBound))
                return try storage.changes(after: after, limit: .max)
            } catch {
                guard error.code == .changesCompacted, !floor.isEmpty else { throw error }
            }
            // Behind the least number that the feed goes on from.
            var least = floor.lowerBound + 1
            var bound = floor.upperBound
            while least < bound {
                let middle = least + (bound - least) / 2
                let isKept =
                    (try? storage.changes(after: SequenceNumber(UInt64(middle)), limit: 1)) != nil
                if isKept { bound = middle } else { least = middle + 1 }
            }
            // A reader may have learned meanwhile that more is gone.
            floor = least..<max(least, last)
        }
    }
}

extension [UInt8] {
    init(_ span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
