/// What a ``MigrationCheck`` tried.
public struct MigrationReport: Hashable, Sendable {
    /// The ways from a fixture to the newest version.
    public internal(set) var paths = 0
    /// The records of all fixtures, each of which was accounted for on every way.
    public internal(set) var records = 0
    /// The crashes in the middle of a migration after which the store was opened again.
    public internal(set) var crashes = 0
}
