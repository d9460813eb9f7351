/// How a journal store is opened: its environment, and sizes that tests make small.
public struct JournalConfiguration: Sendable {
    /// The disk.
    ///
    /// The default is the operating system's.
    public var fileSystem: any FileSystem = POSIXFileSystem()
    /// What runs work a little later.
    ///
    /// The default sleeps in a task.
    public var scheduler: any Scheduler = SystemScheduler()
    /// Random numbers for a new store's identity and the salts of segments.
    public var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    /// Who holds the lock, for the message that another opener gets: the process's number.
    ///
    /// The default is this process's.
    public var owner = String(ProcessNumber.current)
    /// Whether a store is made where there is none.
    ///
    /// The default is `true`.
    public var createsIfMissing = true
    /// The size of the first segment in bytes; later ones double with what is live.
    ///
    /// The default is 1 MiB.
    public var firstSegmentBytes: UInt64 = 1 << 20
    /// The size that segments stop growing at, in bytes.
    ///
    /// At most 1 GiB counts; the default is 64 MiB. A larger transaction has a segment to itself.
    public var largestSegmentBytes: UInt64 = 64 << 20

    /// The space that is kept back for deletes and compaction on a full disk, in bytes; 0 for none.
    ///
    /// The default is 2 MiB: a small segment, and room to move what is live out of another.
    public var reserveBytes: UInt64 = 2 << 20

    /// The memory that values which are read again and again may take, in bytes; 0 for none.
    ///
    /// The default is 32 MiB, taken as it is needed. An app extension, which has 24 MiB for
    /// everything, should allow 1 or 2 MiB.
    public var valueCacheBytes = 32 << 20

    /// Whether a checkpoint is used when the store is opened.
    ///
    /// The default is `true`; without it everything is read from the journal, which takes longer
    /// and gives the same.
    public var readsCheckpoint = true
    /// How many bytes of journal may follow the last checkpoint before one is written in the
    /// background, unless half of that checkpoint's size is more.
    ///
    /// Opening the store reads no more than that. The default is 16 MiB.
    public var checkpointTailBytes: UInt64 = 16 << 20
    /// How many bytes of journal may follow the last checkpoint when the store is closed, unless a
    /// 32nd of that checkpoint's size is more; with more, closing writes one.
    ///
    /// The default is 1 MiB.
    public var checkpointCloseBytes: UInt64 = 1 << 20
    /// How many bytes of journal may follow the last checkpoint while an import goes on, which puts
    /// it off, unless twice that checkpoint's size is more.
    ///
    /// The default is 256 MiB.
    public var checkpointImportBytes: UInt64 = 256 << 20

    /// The configuration of an app.
    public init() {}

    /// The size of the next segment of a store with so many live bytes.
    func segmentBytes(live: UInt64) -> UInt64 {
        // Places in a segment have 32 bits, and a segment may outgrow its size by one transaction.
        let largest = min(largestSegmentBytes, 1 << 30)
        var size = min(max(firstSegmentBytes, SegmentHeader.firstFrame + 512), 1 << 30)
        while size < largest, size < live / 4 { size *= 2 }
        return size
    }
}
