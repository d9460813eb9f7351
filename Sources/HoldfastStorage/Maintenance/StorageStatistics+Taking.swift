import Synchronization

extension JournalStorage {
    /// The store's figures now; see ``JournalMaintenance/statistics()``.
    public func statistics() throws(StorageError) -> StorageStatistics {
        let source = try backupSource()
        var statistics = try StorageStatistics(source, files)
        queue.withLock { queue in
            statistics.durable = queue.durable
            statistics.isDiskFull = queue.isDiskFull
        }
        if deferred.withLock({ $0 != nil }) || reserve.isMissing { statistics.isDiskFull = true }
        statistics.activity = StorageStatistics.Activity(writer.counters)
        statistics.activity.commits = source.last.rawValue - recoveryReport.last.rawValue
        statistics.scrub = scrubber.report
        statistics.compaction = StorageStatistics.Compaction(writer.counters)
        statistics.compaction.waitingSegments = compaction.state.withLock { $0.leftovers.count }
        return statistics
    }
}

extension JournalFollower {
    /// The store's figures as they are shown; see ``JournalMaintenance/statistics()``.
    public func statistics() throws(StorageError) -> StorageStatistics {
        let source = try backupSource()
        var statistics = try StorageStatistics(source, files)
        statistics.durable = state.withLock { $0.proven }
        return statistics
    }
}

extension StorageStatistics {
    fileprivate init(
        _ source: BackupSource,
        _ files: SegmentFiles
    ) throws(StorageError) {
        last = source.root.sequenceNumber
        records = source.root.records.count
        liveBytes = try source.root.recordBytes()
        tombstoneBytes = source.root.usage?.tombstoneBytes ?? 0
        feedFloor = source.retired.floor
        checkpoint = try Checkpoint(source)
        journalBytes = source.segments.reduce(0) { $0 + $1.end.offset }
        segments = source.segments.count
        self.files = try Files(source.directory, through: source.segments.last?.header.number ?? 0)
        if let found = files.cache?.statistics {
            cache.memoryBytes = found.memoryBytes
            cache.values = found.values
            cache.hits = found.hits
            cache.misses = found.misses
        }
    }
}

extension StorageStatistics.Checkpoint {
    /// The checkpoint of a store, with the journal that is behind it.
    fileprivate init?(_ source: BackupSource) throws(StorageError) {
        let file = CheckpointFile(source.directory)
        guard case .checkpoint(let found) = try file.read(of: source.identity.store) else {
            return nil
        }
        last = found.position.number
        bytes = found.byteCount
        tailBytes = source.segments.reduce(0) { sum, segment in
            let number = segment.header.number
            if number < found.position.segment { return sum }
            let end = segment.end.offset
            let isLast = number == found.position.segment
            return sum + end - (isLast ? min(end, found.position.offset) : 0)
        }
    }
}

extension StorageStatistics.Files {
    /// The files of a directory; one that goes away meanwhile does not count.
    fileprivate init(
        _ directory: StoreDirectory,
        through newest: UInt32
    ) throws(StorageError) {
        let names = try describing("Looking at the store") { () throws(SystemCallError) in
            try directory.fileSystem.list(directory.path)
        }
        for name in names {
            guard let file = try? directory.fileSystem.open(directory.path(name), .read) else {
                continue
            }
            defer { file.close() }
            guard let size = try? file.size() else { continue }
            count += 1
            if let number = StoreDirectory.segmentNumber(name) {
                if number <= newest { segmentBytes += size } else { preparedBytes += size }
            } else if name == StoreDirectory.checkpointName {
                checkpointBytes += size
            } else {
                otherBytes += size
            }
        }
    }
}

extension StorageStatistics.Compaction {
    fileprivate init(_ counters: JournalCounters) {
        movedEntries = counters.movedEntries.load(ordering: .relaxed)
        movedBytes = counters.movedBytes.load(ordering: .relaxed)
        retiredSegments = counters.retiredSegments.load(ordering: .relaxed)
    }
}

extension StorageStatistics.Activity {
    fileprivate init(_ counters: JournalCounters) {
        groups = counters.groups.load(ordering: .relaxed)
        writes = counters.writes.load(ordering: .relaxed)
        bytesWritten = counters.bytes.load(ordering: .relaxed)
        syncs = counters.syncs.load(ordering: .relaxed)
    }
}
