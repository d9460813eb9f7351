/// Saves what can be read of a damaged store into a new one.
public enum JournalSalvage {
    /// What was saved, and what was not.
    public struct Report: Hashable, Sendable {
        /// The damage that was met.
        public internal(set) var findings: [Finding] = []
        /// The changes that were read and applied.
        public internal(set) var changes = 0
        /// The records that the new store holds.
        public internal(set) var records = 0
        /// The commits of which nothing could be read; others may lack some of their changes, as
        /// the findings say.
        public internal(set) var lost: [ClosedRange<SequenceNumber>] = []
    }

    private static let doing = "Salvaging"

    /// Applies every change that is intact to a new store.
    ///
    /// Each entry is judged by its own check, so that damage within a segment takes the records
    /// that it touches and no others. A segment that has no intact header is searched for entries,
    /// and one that is missing takes its records and no others. Of several versions of a record the
    /// newest counts, wherever it stands. A change that is lost leaves the key's older value, if
    /// that is intact; what a lost change deleted is back.
    ///
    /// - Parameters:
    ///   - path: The damaged store, which is not changed.
    ///   - newPath: Where the new store is made; nothing may be there. It gets this name when it is
    ///     complete.
    ///   - configuration: The environment of both.
    ///   - progress: Told the bytes read so far.
    /// - Returns: What was saved.
    /// - Throws: ``StorageError`` when there is no store at `path`, when something stands at
    ///   `newPath` (`.alreadyExists`), or when the new store cannot be written;
    ///   `CancellationError`; or what `progress` throws. Nothing is there then that was not there
    ///   before.
    /// - Complexity: O(bytes of journal), in the memory that an index of the new store's keys, the
    ///   new store's own and the changes of one segment take.
    @concurrent
    public static func salvage(
        from path: String,
        to newPath: String,
        configuration: JournalConfiguration = JournalConfiguration(),
        progress: @escaping MaintenanceProgress.Handler = { _ in }
    ) async throws -> Report {
        let inspector = try JournalInspector(at: path, configuration: configuration)
        let walk = try inspector.walk()
        let target = try DirectoryInMaking(at: newPath, configuration.fileSystem, doing: doing)
        do {
            try target.empty(doing)
            let report = try await save(walk, to: target.directory.path, configuration, progress)
            try target.finish(doing)
            return report
        } catch {
            target.discard()
            throw error
        }
    }

    private static func save(
        _ walk: JournalWalk,
        to path: String,
        _ configuration: JournalConfiguration,
        _ progress: MaintenanceProgress.Handler
    ) async throws -> Report {
        var configuration = configuration
        configuration.createsIfMissing = true
        let storage = try await JournalStorage.open(at: path, configuration: configuration)
        do {
            var salvage = JournalSalvageRun(walk)
            while let changes = try salvage.nextChanges(progress) {
                try await storage.apply(changes)
            }
            var report = salvage.report
            report.records = try storage.snapshot().count
            try await storage.close()
            return report
        } catch {
            try? await storage.close()
            throw error
        }
    }
}

/// One way through a damaged store, a segment at a time.
private struct JournalSalvageRun {
    var report = JournalSalvage.Report()
    private var walk: JournalWalk
    private var versions = SalvagedVersions()
    private var numbers = CommitRanges()
    private var state = MaintenanceProgress()
    private var isDone = false

    init(_ walk: JournalWalk) { self.walk = walk }

    /// The changes of the next segment that are to be applied; `nil` behind the last one.
    mutating func nextChanges(
        _ progress: MaintenanceProgress.Handler
    ) throws -> [SalvagedChange]? {
        if isDone { return nil }
        try Task.checkCancellation()
        if state.total == nil { state.total = try walk.byteCount() }
        var found: [SalvagedChange] = []
        var findings: [Finding] = []
        var bytes: UInt64 = 0
        let goesOn = try walk.visitNext { event, payload in
            bytes += UInt64(payload.byteCount)
            switch event {
            case .damage(let finding): findings.append(finding)
            case .frame(_, _, let header):
                found.append(in: payload, of: header)
            case .gap(_, let numbers):
                found.append(in: payload, numbers)
            case .headless(_, let first, let last):
                found.append(in: payload, first...(last ?? SequenceNumber(.max)))
            default: break
            }
        }
        report.findings += findings
        state.completed += bytes
        try progress(state)
        let changes = try taken(found)
        if !goesOn {
            isDone = true
            let gone = walk.retired.ranges.map { $0.start.next..<$0.end.next }
            report.lost = numbers.missing(through: max(walk.proven, walk.last), but: gone)
        }
        return changes
    }

    private mutating func taken(
        _ found: [SalvagedChange]
    ) throws(StorageError) -> [SalvagedChange] {
        var changes: [SalvagedChange] = []
        for change in found {
            if !change.isMoved { numbers.insert(change.number) }
            if try versions.take(change) { changes.append(change) }
        }
        report.changes += changes.count
        return changes
    }
}

extension JournalStorage {
    /// Applies changes in transactions of a bounded size.
    fileprivate func apply(_ changes: [SalvagedChange]) async throws {
        var rest = changes[...]
        while !rest.isEmpty {
            let batch = rest.prefix(rest.batchCount)
            rest.removeFirst(batch.count)
            _ = try await write(.buffered) { transaction in
                for change in batch { try transaction.apply(change) }
            }
        }
    }
}

extension ArraySlice<SalvagedChange> {
    private static var largestCount: Int { 1_000 }
    private static var largestBytes: Int { 4 << 20 }

    /// How many of the first changes go into one transaction: bounded by number and bytes, and one
    /// at least.
    fileprivate var batchCount: Int {
        var bytes = 0
        let end = prefix(Self.largestCount).firstIndex { change in
            bytes += change.key.count + (change.value?.count ?? 0)
            return bytes > Self.largestBytes
        }
        return Swift.max(1, (end ?? startIndex + Swift.min(count, Self.largestCount)) - startIndex)
    }
}

extension StorageTransaction {
    fileprivate func apply(_ change: SalvagedChange) throws(StorageError) {
        if let value = change.value {
            try put(value, for: change.key)
        } else {
            try delete(change.key)
        }
    }
}
