/// Something small of which everything is tried: every crash, every failing call, every flipped bit.
///
/// ```swift
/// for world in SmallWorld.all(of: .journal()) {
///     var count = 0
///     for part in 0..<world.partCount { count += try await world.explore(part: part) }
///     print(world.name, count, world.unit)
/// }
/// ```
public struct SmallWorld: Sendable {
    /// What is counted.
    public enum Unit: String, Hashable, Sendable {
        /// Stores that a crash left, each of which was opened.
        case crashStates = "crash states"
        /// Calls that failed, each in a run of its own.
        case failures
        /// Damaged copies of a store, each of which was opened.
        case damagedStores = "damaged stores"
    }

    /// What is tried, in a few words.
    public let name: String
    /// What is counted.
    public let unit: Unit
    /// How many independent parts it has.
    public let partCount: Int
    private let body: @Sendable (Int) async throws -> Int

    init(
        _ name: String,
        _ unit: Unit,
        parts: Int,
        _ body: @escaping @Sendable (Int) async throws -> Int
    ) {
        self.name = name
        self.unit = unit
        partCount = parts
        self.body = body
    }

    /// Tries everything in a part.
    ///
    /// - Parameter part: Which, below ``partCount``.
    /// - Returns: How much was tried.
    /// - Throws: ``CrashViolation``.
    public func explore(part: Int) async throws -> Int { try await body(part) }

    /// All worlds of an engine.
    public static func all(of subject: CrashSubject) -> [SmallWorld] {
        crashes(of: subject) + failures(of: subject) + damage(of: subject)
    }
}
