import HoldfastStorage

/// All that a store shows.
struct Observation: Sendable {
    var state: CrashHistory.State = [:]
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
        self.state = state
        commits = try storage.changes(after: .zero, limit: .max)
        guard commits.count == snapshot.sequenceNumber.rawValue, snapshot.count == state.count
        else {
            throw CrashViolation(
                "The snapshot is at \(snapshot.sequenceNumber) with \(snapshot.count) keys, the"
                    + " change feed has \(commits.count) commits, the scan \(state.count) keys."
            )
        }
    }
}

extension [UInt8] {
    init(_ span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe [UInt8]($0) }
    }
}
