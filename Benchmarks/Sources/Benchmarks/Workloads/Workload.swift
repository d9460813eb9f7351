/// One kind of work, done by every engine in the same way.
protocol Workload: Sendable {
    /// Its name on the command line.
    var name: String { get }

    /// Whether it always does the whole work, whatever the slice of time.
    var isWhole: Bool { get }

    /// Does the work for a slice of time and returns what was measured.
    ///
    /// - Throws: What the engine throws, or ``Failure`` where it read something else than it holds.
    func run<E: Engine>(_ session: Session<E>) async throws -> [Figure]
}

extension Workload {
    var isWhole: Bool { false }
}
