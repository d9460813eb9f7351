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

    /// Opens the store, or makes it.
    public let open: Open

    /// A subject that is opened like this.
    public init(open: @escaping Open) { self.open = open }

    /// The journal in a directory `store`, with segments of this size.
    ///
    /// - Parameters:
    ///   - segmentBytes: The size of a segment.
    ///   - checkpointBytes: The bytes of journal after which a checkpoint is written in the
    ///     background, or when the store is closed; `nil` for what an app has.
    /// - Returns: The subject.
    public static func journal(
        segmentBytes: UInt64 = 8_704,
        checkpointBytes: UInt64? = nil
    ) -> CrashSubject {
        CrashSubject { disk, scheduler, seed in
            let random = SeededRandom(seed: seed)
            var configuration = JournalConfiguration()
            configuration.fileSystem = disk
            configuration.scheduler = scheduler
            configuration.random = { random.next() }
            configuration.owner = "1"
            configuration.firstSegmentBytes = segmentBytes
            configuration.largestSegmentBytes = segmentBytes
            configuration.valueCacheBytes = 16 << 10
            if let checkpointBytes {
                configuration.checkpointTailBytes = checkpointBytes
                configuration.checkpointCloseBytes = checkpointBytes
            }
            return try await JournalStorage.open(at: "store", configuration: configuration)
        }
    }
}
