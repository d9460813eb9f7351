/// What a simulation, or several, went through without a finding.
public struct SimulationReport: Hashable, Sendable {
    /// Whole runs.
    public var runs = 0
    /// Local transactions that were committed.
    public var commits = 0
    /// Requests that replicas sent.
    public var requests = 0
    /// Requests that reached the server, doubled ones twice.
    public var arrivals = 0
    /// Mutations that the server was sent.
    public var mutations = 0
    /// Mutations that met another state than the one that they were made on.
    public var conflicts = 0
    /// Processes that were killed and lost powers.
    public var crashes = 0
    /// Devices, and servers, that were restored from a backup.
    public var restores = 0
    /// Entries of the ledger at the end.
    public var ledgerEntries = 0
    /// Times that an invariant was looked at.
    public var checks = 0
    /// The time that passed in the simulations.
    public var simulatedTime = Duration.zero
    /// A hash of all that happened: the same seed gives the same one, in every process.
    public var traceHash: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// Adds what others went through.
    ///
    /// The trace's hash does not depend on the order in which runs are added.
    public static func += (left: inout Self, right: Self) {
        left.runs += right.runs
        left.commits += right.commits
        left.requests += right.requests
        left.arrivals += right.arrivals
        left.mutations += right.mutations
        left.conflicts += right.conflicts
        left.crashes += right.crashes
        left.restores += right.restores
        left.ledgerEntries += right.ledgerEntries
        left.checks += right.checks
        left.simulatedTime += right.simulatedTime
        left.traceHash ^= right.traceHash
    }
}
