public import Holdfast

/// Checks that an app's own work on a store survives every crash: a killed process, a loss of power.
///
/// ```swift
/// @Test func moneyIsNeverMadeOrLost() async throws {
///     try await CrashCheck(schema: schema)
///         .preparing { store in try await Bank(store).open(["ada": 60, "ben": 40]) }
///         .checking("the sum is 100") { store in
///             guard try Bank(store).sum() == 100 else { throw Wrong() }
///         }
///         .run { session in
///             try await Bank(session.store).transfer(10, from: "ada", to: "ben")
///             session.promise("ben has his money") { store in
///                 guard try Bank(store).balance("ben") == 50 else { throw Wrong() }
///             }
///         }
/// }
/// ```
///
/// The work is run once, on a simulated disk in memory. Then the same disk is crashed before the
/// calls that changed it: the process is killed; or the power is lost, with nothing kept of what
/// was not synced, or with what a seed decides, for writes and names in any order, and torn. Each
/// crashed store is opened again, and often crashed once more while it recovers. It has to
///
/// - open, and pass the verification of its files,
/// - hold exactly what the work's first transactions made of it, each whole,
/// - hold each transaction whose `write` had returned, as far as its durability promised that:
///   after a power loss a `.buffered` one may be gone,
/// - pass every check that was added with ``checking(_:_:)``,
/// - keep each promise that the work had given by then with ``CrashSession/promise(_:_:)``.
public struct CrashCheck: Sendable {
    /// A check of an open store; it throws what is wrong.
    public typealias Check = @Sendable (Store) async throws -> Void

    let schema: Schema?
    let limit: Int
    let seed: UInt64
    private(set) var prepare: Check = { _ in }
    private(set) var checks: [(name: String, check: Check)] = []

    /// The check of work on a store.
    ///
    /// - Parameters:
    ///   - schema: What the app opens its store with.
    ///   - limit: The greatest number of crashes to try, evenly over the work.
    ///   - seed: What the outcomes of power losses follow from.
    public init(schema: Schema? = nil, limit: Int = 500, seed: UInt64 = 1) {
        self.schema = schema
        self.limit = max(1, limit)
        self.seed = seed
    }

    /// Fills the store before the work begins; what is done here is not crashed, and has to stay.
    public func preparing(_ prepare: @escaping Check) -> CrashCheck {
        var check = self
        check.prepare = prepare
        return check
    }

    /// Adds what has to be true of the store at every moment, whatever of the work has been done.
    ///
    /// - Parameters:
    ///   - name: The invariant, for the message.
    ///   - check: Throws what is wrong; it may write, as an app does when it starts.
    /// - Returns: The check with it.
    public func checking(_ name: String, _ check: @escaping Check) -> CrashCheck {
        var copy = self
        copy.checks.append((name, check))
        return copy
    }

    /// Runs the work, and crashes it.
    ///
    /// - Parameter work: What the app does; it is run once.
    /// - Returns: What was tried.
    /// - Throws: ``CrashViolation`` for the first promise that does not hold, or what `work` throws
    ///   without a crash.
    @discardableResult
    public func run(
        _ work: @Sendable (CrashSession) async throws -> Void
    ) async throws -> CrashCheckReport {
        let image = try await prepared()
        let disk = image.afterKill()
        let session = try await CrashSession(self, disk)
        do {
            try await work(session)
        } catch {
            try? await session.store.close()
            throw error
        }
        try await session.end()
        var trial = CrashTrial(self, session.log)
        try await trial.run(disk.recording.images + [disk.image()])
        return trial.report
    }

    /// A disk with the store on it, filled and closed.
    private func prepared() async throws -> DiskImage {
        let disk = SimulatedDisk()
        let storage = try await CrashedApp(seed: seed).open(disk)
        let store = try await Store(storage: storage, schema: schema)
        do {
            try await prepare(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return disk.image()
    }
}
