/// What is known of the checkpoint on the disk, and when the next one is due.
struct CheckpointUpkeep {
    /// Where the checkpoint ends that is durable.
    private(set) var position: JournalPosition?
    /// Its size.
    private(set) var imageBytes: UInt64 = 0
    /// The bytes of journal that were written since, and what it would take to build again the
    /// indexes that it lacks.
    private(set) var tailBytes: UInt64 = 0
    /// Whether it lacks an index, or holds one too many.
    private(set) var lacksIndexes = false
    /// Whether the next one is being waited for.
    private var isScheduled = false
    private var scheduledBytes: UInt64 = 0
    /// After a failure: it is not tried again before.
    private var retryBytes: UInt64 = 0

    /// What a key of an index counts as.
    private static let entryBytes: UInt64 = 64

    init(_ checkpoint: Checkpoint?) {
        position = checkpoint?.position
        imageBytes = checkpoint?.byteCount ?? 0
    }

    mutating func wrote(_ bytes: UInt64) { tailBytes += bytes }

    mutating func builtIndexes(entries: Int) {
        lacksIndexes = true
        tailBytes += UInt64(entries) * Self.entryBytes
    }

    /// Says that one is going to be written; returns what ``finished(_:bytes:since:)`` wants.
    mutating func started() -> UInt64 {
        lacksIndexes = false
        return tailBytes
    }

    mutating func finished(_ position: JournalPosition, bytes: UInt64, since started: UInt64) {
        self.position = position
        imageBytes = bytes
        tailBytes -= min(started, tailBytes)
        retryBytes = 0
    }

    /// Says that there is none any more.
    mutating func dropped() { position = nil }

    mutating func failed(_ configuration: JournalConfiguration, since started: UInt64) {
        lacksIndexes = true
        retryBytes = started + configuration.checkpointTailBytes
    }

    /// Whether all that stands before a position is in the checkpoint.
    func covers(_ wanted: JournalPosition) -> Bool {
        !lacksIndexes && position?.isAtOrBehind(wanted) ?? false
    }

    func isDue(_ configuration: JournalConfiguration) -> Bool {
        tailBytes > max(configuration.checkpointTailBytes, imageBytes / 2)
            && tailBytes > retryBytes
    }

    func isDueOnClose(_ configuration: JournalConfiguration) -> Bool {
        tailBytes > max(configuration.checkpointCloseBytes, imageBytes / 32)
    }

    /// - Returns: Whether one has to be scheduled now.
    mutating func schedule(_ configuration: JournalConfiguration) -> Bool {
        guard !isScheduled, isDue(configuration) else { return false }
        isScheduled = true
        scheduledBytes = tailBytes
        return true
    }

    /// - Returns: Whether the one that was scheduled is to be written now; while much is written,
    ///   it is put off, and has to be scheduled again.
    mutating func isWanted(_ configuration: JournalConfiguration) -> Bool {
        isScheduled = false
        let isImport =
            tailBytes - min(scheduledBytes, tailBytes) > configuration.checkpointTailBytes
        let most = max(configuration.checkpointImportBytes, 2 * imageBytes)
        return isDue(configuration) && (!isImport || tailBytes > most)
    }
}
