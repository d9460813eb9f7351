/// What a journal store holds and what it has done: a moment's figures.
public struct StorageStatistics: Hashable, Sendable {
    /// The last commit that readers see.
    public internal(set) var last = SequenceNumber.zero
    /// The greatest number that is known to be durable.
    public internal(set) var durable = SequenceNumber.zero
    /// The number of keys.
    public internal(set) var records = 0
    /// The bytes of journal that the records' current entries take.
    public internal(set) var liveBytes: UInt64 = 0
    /// The bytes of journal that deletes take which still hide something.
    public internal(set) var tombstoneBytes: UInt64 = 0
    /// The bytes of journal: every segment up to where it ends.
    public internal(set) var journalBytes: UInt64 = 0
    /// The number of segments.
    public internal(set) var segments = 0
    /// The files in the directory.
    public internal(set) var files = Files()
    /// The checkpoint; `nil` where there is none that can be used.
    public internal(set) var checkpoint: Checkpoint?
    /// The commits up to this one are no longer in the change feed.
    public internal(set) var feedFloor = SequenceNumber.zero
    /// The values in memory.
    public internal(set) var cache = Cache()
    /// What was written since the store was opened; nothing for one that is only read.
    public internal(set) var activity = Activity()
    /// What compaction has done since the store was opened.
    public internal(set) var compaction = Compaction()
    /// Whether the last commit found no room on the disk.
    public internal(set) var isDiskFull = false
    /// What the background scrub has done.
    public internal(set) var scrub = ScrubReport()

    /// All zero.
    public init() {}

    /// The part of the journal that is superseded, from 0 to 1.
    public var garbageRatio: Double {
        guard journalBytes > liveBytes else { return 0 }
        return Double(journalBytes - liveBytes) / Double(journalBytes)
    }
}

extension StorageStatistics {
    /// The files of a store's directory.
    public struct Files: Hashable, Sendable {
        /// How many there are.
        public internal(set) var count = 0
        /// The bytes of the segments that are in use, with the room made ready for later commits.
        public internal(set) var segmentBytes: UInt64 = 0
        /// The bytes of the segment that lies ready and empty.
        public internal(set) var preparedBytes: UInt64 = 0
        /// The bytes of the checkpoint.
        public internal(set) var checkpointBytes: UInt64 = 0
        /// The bytes of all other files.
        public internal(set) var otherBytes: UInt64 = 0

        /// The bytes of all files.
        public var bytes: UInt64 {
            segmentBytes + preparedBytes + checkpointBytes + otherBytes
        }
    }

    /// The last checkpoint.
    public struct Checkpoint: Hashable, Sendable {
        /// The commit that it is of.
        public internal(set) var last: SequenceNumber
        /// Its size in bytes.
        public internal(set) var bytes: UInt64
        /// The bytes of journal behind it, which opening the store reads.
        public internal(set) var tailBytes: UInt64
    }

    /// The cache of values.
    public struct Cache: Hashable, Sendable {
        /// The bytes of memory that it may take.
        public internal(set) var memoryBytes = 0
        /// The values that it holds.
        public internal(set) var values = 0
        /// How often a value that was asked for was there.
        public internal(set) var hits: UInt64 = 0
        /// How often it was not.
        public internal(set) var misses: UInt64 = 0
    }

    /// What compaction has done since a store was opened, and what it has left to do.
    public struct Compaction: Hashable, Sendable {
        /// Entries that were moved out of segments that were given up.
        public internal(set) var movedEntries: UInt64 = 0
        /// The bytes of journal that moving them took.
        public internal(set) var movedBytes: UInt64 = 0
        /// Segments that were given up.
        public internal(set) var retiredSegments: UInt64 = 0
        /// Segments that were given up and whose files wait: a snapshot that is held may read them.
        public internal(set) var waitingSegments = 0
    }

    /// What a store has written since it was opened.
    public struct Activity: Hashable, Sendable {
        /// Commits that readers see.
        public internal(set) var commits: UInt64 = 0
        /// Groups of commits that shared a write and a sync.
        public internal(set) var groups: UInt64 = 0
        /// Writes to the journal.
        public internal(set) var writes: UInt64 = 0
        /// The bytes that they wrote.
        public internal(set) var bytesWritten: UInt64 = 0
        /// Syncs of the journal.
        public internal(set) var syncs: UInt64 = 0
    }
}
