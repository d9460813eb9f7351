/// How far the migration of a store has come.
public struct MigrationProgress: Hashable, Sendable {
    /// The step that runs.
    public let step: String
    /// Which of the steps to run it is, from 1.
    public let number: Int
    /// How many steps there are to run.
    public let count: Int
    /// How many records the step has visited with ``WriteTransaction/transform(_:_:)`` and what
    /// builds on it.
    public internal(set) var records = 0
}
