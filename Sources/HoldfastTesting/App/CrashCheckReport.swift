/// What a ``CrashCheck`` tried.
public struct CrashCheckReport: Hashable, Sendable {
    /// Transactions that the work committed.
    public internal(set) var commits = 0
    /// Calls of the work that could change the disk: each is a moment for a crash.
    public internal(set) var moments = 0
    /// Crashed stores that were opened and checked.
    public internal(set) var states = 0
    /// How many of them were crashed while they recovered from another crash.
    public internal(set) var crashedRecoveries = 0
}
