/// Copies a store at one commit into a new directory.
///
/// Sealed segments are never written again: a hard link is a copy of them. The one that is written
/// is copied up to the commit, and checked on the way.
struct JournalBackup {
    private static let doing = "Backing the store up"
    private static let chunk = 1 << 20

    private let target: DirectoryInMaking
    private let source: BackupSource
    private let progress: MaintenanceProgress.Handler
    private var links: Bool
    private var report = BackupReport()
    private var state: MaintenanceProgress

    /// Makes the copy.
    ///
    /// `source` is asked again where segments have gone since it was asked.
    ///
    /// - Throws: ``StorageError``, `CancellationError`, or what `progress` throws; nothing is there
    ///   that was not there before.
    static func make(
        at path: String,
        _ configuration: JournalConfiguration,
        linking links: Bool,
        progress: @escaping MaintenanceProgress.Handler,
        from source: (_ attempt: Int) async throws(StorageError) -> BackupSource
    ) async throws -> BackupReport {
        let target = try DirectoryInMaking(at: path, configuration.fileSystem, doing: doing)
        let lock: StoreLock
        do {
            lock = try await StoreLock.take(target.directory, configuration)
        } catch {
            if error.code != .locked { target.discard() }
            throw error
        }
        defer { lock.release() }
        do {
            try target.markAsIncomplete(doing)
            for attempt in 1... {
                try target.empty(doing)
                var backup = JournalBackup(target, try await source(attempt), links, progress)
                do {
                    return try backup.run()
                } catch let error as StorageError where attempt < 4 && error.isVanishedFile {
                    // The process that writes the store has retired the segment meanwhile.
                    continue
                }
            }
            return BackupReport()
        } catch {
            target.discard()
            throw error
        }
    }

    private init(
        _ target: DirectoryInMaking,
        _ source: BackupSource,
        _ links: Bool,
        _ progress: @escaping MaintenanceProgress.Handler
    ) {
        self.target = target
        self.source = source
        self.links = links
        self.progress = progress
        let bytes = source.segments.reduce(0) { $0 + $1.end.offset }
        state = MaintenanceProgress(completed: 0, total: bytes)
    }

    private mutating func run() throws -> BackupReport {
        report.last = source.last
        report.segments = source.segments.count
        for segment in source.segments {
            if segment.isSealed, try link(segment) { continue }
            try copy(segment)
        }
        if source.isSealed { try placeSuccessor() }
        let directory = target.directory
        if !source.retired.ranges.isEmpty {
            try directory.place(
                StoreDirectory.retiredName,
                doing: Self.doing,
                bytes: RetiredFile.bytes(of: source.retired, store: source.identity.store)
            )
        }
        if let witness = source.witness {
            try directory.place(
                StoreDirectory.closedName,
                doing: Self.doing,
                bytes: witness.bytes()
            )
        }
        try takeCheckpoint()
        var identity = source.identity
        identity.isCopy = true
        // The last file: without it nothing here is a store.
        try directory.place(
            StoreDirectory.identityName,
            doing: Self.doing,
            bytes: identity.bytes()
        )
        try target.finish(Self.doing)
        return report
    }

    /// - Returns: `false` where the file system gives no second name; the copy says what is wrong.
    private mutating func link(_ segment: BackupSource.Segment) throws -> Bool {
        guard links else { return false }
        let number = segment.header.number
        do throws(SystemCallError) {
            try target.directory.fileSystem.link(
                source.directory.segmentPath(number),
                to: target.directory.segmentPath(number)
            )
        } catch {
            links = error.errno == .notFound
            return false
        }
        report.linkedSegments += 1
        try advance(segment.end.offset)
        return true
    }

    private mutating func copy(_ segment: BackupSource.Segment) throws {
        let fileSystem = target.directory.fileSystem
        let number = segment.header.number
        let (from, to) = try describing(Self.doing) { () throws(SystemCallError) in
            (
                try fileSystem.open(source.directory.segmentPath(number), .read),
                try fileSystem.open(target.directory.segmentPath(number), .createNew)
            )
        }
        defer {
            from.close()
            to.close()
        }
        try copyBytes(from, to, count: segment.end.offset)
        try check(to, segment, from: from.path)
        try describing(Self.doing) { () throws(SystemCallError) in try to.sync() }
    }

    private mutating func copyBytes(_ from: any File, _ to: any File, count: UInt64) throws {
        var offset: UInt64 = 0
        while offset < count {
            let want = Int(min(UInt64(Self.chunk), count - offset))
            let bytes = try describing(Self.doing) { () throws(SystemCallError) in
                let bytes = try from.read(count: want, at: offset)
                try unsafe to.write(bytes.span.bytes, at: offset)
                return bytes
            }
            guard bytes.count == want else {
                throw StorageError.corruption(
                    "The segment is shorter than it was.",
                    path: from.path,
                    offset: offset + UInt64(bytes.count)
                )
            }
            offset += UInt64(want)
            report.copiedBytes += UInt64(want)
            try advance(UInt64(want))
        }
    }

    /// A copy of damaged frames would be found out only when it is needed.
    private func check(
        _ file: any File,
        _ segment: BackupSource.Segment,
        from path: String
    ) throws(StorageError) {
        var scanner = try SegmentScanner(
            file,
            salt: segment.header.salt,
            from: SegmentScanner.Position(startOf: segment.header),
            limit: segment.end.offset
        )
        _ = try scanner.scan { _, _ in true }
        guard scanner.position.offset == segment.end.offset,
            scanner.position.number == segment.end.number,
            scanner.position.chain == segment.end.chain ?? segment.header.chain()
        else {
            throw .missingCommits(
                from: scanner.position.number.next,
                through: segment.end.number,
                path: path,
                offset: scanner.position.offset
            )
        }
    }

    /// Takes the checkpoint over, if it is one of the state that is copied or of an earlier one.
    ///
    /// It is replaced, never changed: what was linked stays what it is. It can be done without.
    private func takeCheckpoint() throws {
        guard links, let last = source.segments.last else { return }
        let directory = target.directory
        do throws(SystemCallError) {
            try directory.fileSystem.link(
                source.directory.path(StoreDirectory.checkpointName),
                to: directory.path(StoreDirectory.checkpointName)
            )
        } catch {
            return
        }
        let found = try CheckpointFile(directory).read(of: source.identity.store)
        if case .checkpoint(let checkpoint) = found,
            (checkpoint.position.segment, checkpoint.position.offset)
                <= (last.header.number, last.end.offset),
            checkpoint.retired == source.retired.ranges.map(RetiredRange.init)
        {
            return
        }
        try describing(Self.doing) { () throws(SystemCallError) in
            try directory.fileSystem.unlink(directory.path(StoreDirectory.checkpointName))
        }
    }

    /// Behind a seal stands the next file: without it, what was in it counts as lost.
    private func placeSuccessor() throws(StorageError) {
        guard let last = source.segments.last?.header.number, last < .max else { return }
        try target.directory.place(
            StoreDirectory.segmentName(last + 1),
            doing: Self.doing,
            bytes: [UInt8](repeating: 0, count: DoubledRecord.byteCount)
        )
    }

    private mutating func advance(_ bytes: UInt64) throws {
        try Task.checkCancellation()
        state.completed += bytes
        try progress(state)
    }
}

extension StorageError {
    /// Whether a file that should be there was not.
    fileprivate var isVanishedFile: Bool {
        (cause as? SystemCallError)?.errno == .notFound
    }
}
