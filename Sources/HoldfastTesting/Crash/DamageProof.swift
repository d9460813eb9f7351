public import HoldfastStorage

/// Damages a store in every way that a test can think of, and checks what opening makes of it.
///
/// The store holds every commit that was proven, or opening it, or a read, throws an error that
/// names the damage: never a wrong value, never a silent loss. An open that throws changes no file.
public struct DamageProof: Sendable {
    /// What became of a damaged store.
    public enum Outcome: Hashable, Sendable {
        /// It opened with this number of commits, each as it was.
        case intact(commits: Int)
        /// Opening it, or reading all of it, threw this.
        case named(StorageError.Code)
    }

    /// The store before the damage.
    public let image: DiskImage
    private let subject: CrashSubject
    private let expectation: CrashExpectation
    private let provenCount: Int

    /// Runs a workload and takes the store as it then stands.
    ///
    /// - Parameters:
    ///   - subject: The engine.
    ///   - operations: The workload.
    ///   - isClosed: Whether the store is closed; else its process is killed.
    ///   - unproven: The last commits that damage may take without a word, as nothing that was
    ///     written after them vouches for them.
    ///   - seed: Where random numbers come from.
    /// - Throws: What the workload throws.
    public init(
        _ subject: CrashSubject,
        _ operations: [CrashOperation],
        isClosed: Bool = true,
        unproven: Int = 0,
        seed: UInt64 = 1
    ) async throws {
        self.subject = subject
        let disk = SimulatedDisk()
        var run = try await CrashRun(subject, on: disk, seed: seed)
        for operation in operations { try await run.perform(operation) }
        if isClosed { try await run.storage.close() }
        image = disk.image()
        expectation = run.history.expectation(at: image.mutations)
        provenCount = expectation.last - unproven
    }

    /// Damages a copy of the store and opens it.
    ///
    /// - Parameter damage: What is done to the files.
    /// - Returns: What became of it, which is allowed.
    /// - Throws: ``CrashViolation``, or what `damage` throws.
    @discardableResult
    public func check(_ damage: (SimulatedDisk) throws -> Void) async throws -> Outcome {
        let disk = image.afterKill()
        try damage(disk)
        let before = try disk.files()
        let scheduler = HeldScheduler()
        let storage: any Storage
        do {
            storage = try await subject.open(disk, scheduler, 1 << 56)
        } catch let error as StorageError {
            guard try disk.files() == before else {
                throw CrashViolation("A refused open changed a file: \(error)")
            }
            return try named(error)
        }
        do {
            let observation = try await observe(storage, scheduler)
            try expectation.check(observation, requiring: provenCount)
            return .intact(commits: observation.last)
        } catch let error as StorageError {
            return try named(error)
        }
    }

    /// Reads all of a store; a checkpoint that turns out to be damaged is made good within a second.
    private func observe(
        _ storage: any Storage,
        _ scheduler: HeldScheduler
    ) async throws -> Observation {
        do {
            return try Observation(of: storage)
        } catch let error as StorageError where error.code == .checkpointDamaged {
            await scheduler.run(for: .seconds(1))
            return try Observation(of: storage)
        }
    }

    private func named(_ error: StorageError) throws -> Outcome {
        let codes: [StorageError.Code] = [.corruption, .unsupportedVersion, .notAStore, .notFound]
        guard codes.contains(error.code) else {
            throw CrashViolation("Damage was taken for something else: \(error)")
        }
        return .named(error.code)
    }
}

extension SimulatedDisk {
    /// All files but the lock, by path.
    fileprivate func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in paths where !path.hasSuffix("/LOCK") { files[path] = try contents(of: path) }
        return files
    }
}
