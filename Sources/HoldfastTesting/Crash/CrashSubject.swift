public import HoldfastStorage

/// The storage engine that is put to the proof: how it is opened on a simulated disk.
public struct CrashSubject: Sendable {
    /// Opens the store, or makes it.
    ///
    /// - Parameters:
    ///   - disk: The disk that holds it.
    ///   - scheduler: What holds its background work.
    ///   - seed: Where its random numbers come from: the same seed, the same numbers.
    public typealias Open =
        @Sendable (
            _ disk: SimulatedDisk,
            _ scheduler: HeldScheduler,
            _ seed: UInt64
        ) async throws -> any Storage

    /// Something that an open store can be told to do and that changes none of its records.
    public typealias Action = @Sendable (_ storage: any Storage) async throws -> Void

    /// Looks at the files of a store that was closed.
    ///
    /// It throws what is wrong with them.
    public typealias Audit = @Sendable (_ disk: SimulatedDisk) throws -> Void

    /// Opens the store as a reader.
    public typealias Follow = @Sendable (_ disk: SimulatedDisk) async throws -> any Storage

    /// Opens the store, or makes it.
    public let open: Open
    /// What it can be told to do, by the names that ``CrashOperation/action(_:)`` has.
    public let actions: [String: Action]
    /// Looks at the files of a store that was closed.
    public let audit: Audit
    /// Opens the store as a reader, which changes nothing; `nil` where the engine has no readers.
    ///
    /// Without a writer it has to show what the next opening finds.
    public let follow: Follow?

    /// The paths of files that may be removed while the store is not open, with nothing lost.
    public let disposable: [String]

    /// A subject that is opened like this.
    public init(
        actions: [String: Action] = [:],
        disposable: [String] = [],
        audit: @escaping Audit = { _ in },
        follow: Follow? = nil,
        open: @escaping Open
    ) {
        self.actions = actions
        self.disposable = disposable
        self.audit = audit
        self.follow = follow
        self.open = open
    }

    /// The journal in a directory `store`.
    ///
    /// - Parameters:
    ///   - segmentBytes: The size of its segments.
    ///   - isIndexed: Whether it has a secondary index, which is checked too.
    ///   - configure: Changes the configuration, such as other sizes.
    /// - Returns: The subject.
    public static func journal(
        segmentBytes: UInt64 = 8_704,
        isIndexed: Bool = false,
        configuring configure: @escaping @Sendable (inout JournalConfiguration) -> Void = { _ in }
    ) -> CrashSubject {
        @Sendable func configuration(_ disk: SimulatedDisk) -> JournalConfiguration {
            var configuration = JournalConfiguration()
            configuration.fileSystem = disk
            configuration.owner = "1"
            configuration.firstSegmentBytes = segmentBytes
            configuration.largestSegmentBytes = segmentBytes
            configuration.valueCacheBytes = 16 << 10
            configuration.reserveBytes = 0
            configure(&configuration)
            return configuration
        }
        let compact: Action = { storage in
            if let journal = storage as? JournalStorage { try await journal.compact() }
        }
        let checkpoint: Action = { storage in
            if let journal = storage as? JournalStorage { try await journal.checkpoint() }
        }
        return CrashSubject(
            actions: ["compact": compact, "checkpoint": checkpoint],
            disposable: ["store/checkpoint"]
        ) { disk in
            let report = try JournalVerifier.verify(
                at: "store",
                configuration: configuration(disk)
            )
            guard let finding = report.findings.first else { return }
            throw CrashViolation("Verifying the closed store found \(finding).")
        } follow: { disk in
            var configuration = configuration(disk)
            configuration.scheduler = HeldScheduler()
            return try await JournalFollower.open(at: "store", configuration: configuration)
        } open: { disk, scheduler, seed in
            let random = SeededRandom(seed: seed)
            var configuration = configuration(disk)
            configuration.scheduler = scheduler
            configuration.random = { random.next() }
            let storage = try await JournalStorage.open(
                at: "store",
                configuration: configuration
            )
            if isIndexed { try await storage.setIndexes([CrashIndex.definition]) }
            return storage
        }
    }
}
