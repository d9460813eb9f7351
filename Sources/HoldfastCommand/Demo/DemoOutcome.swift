/// What the demonstration came to.
struct DemoOutcome {
    /// Times that the power was lost.
    var crashes = 0
    /// Changes that a crash took although they were committed.
    var lost = 0
    /// Changes that the server got a second time and did nothing about.
    var replayed = 0
    /// Changes of its own that a replica found in what it received.
    var recognized = 0
    /// Entries of the ledger.
    var ledgerEntries = 0
    /// The counter that was raised once, on the server.
    var bakings: Int64 = 0
    /// Whether both replicas equal the server.
    var isEqual = false

    /// Whether all is as it was promised.
    var isGood: Bool {
        isEqual && lost == 0 && replayed + recognized > 0 && ledgerEntries > 0 && bakings == 1
    }
}
