/// Saves what can be read of a damaged store into a new one.
public enum JournalSalvage {
    /// What was saved, and what was not.
    public struct Report: Hashable, Sendable {
        /// The damage that was met.
        public internal(set) var findings: [Finding] = []
        /// The changes that were read and applied, in the order of the journal.
        public internal(set) var changes = 0
        /// The records that the new store holds.
        public internal(set) var records = 0
    }

    /// Applies every change that is intact, in the order of the journal, to a new store.
    ///
    /// Each entry is judged by its own check, so that damage within a segment takes the records
    /// that it touches and no others. A segment that is missing, or has no intact header, takes its
    /// records, and no others. A change that is lost leaves the key's older value, if that is
    /// intact; what a lost change deleted is back.
    ///
    /// - Parameters:
    ///   - path: The damaged store, which is not changed.
    ///   - newPath: Where the new store is made; nothing may be there.
    ///   - configuration: The environment of both.
    /// - Returns: What was saved.
    /// - Throws: ``StorageError`` when there is no store at `path`, or the new one cannot be
    ///   written; what it holds by then is not complete.
    /// - Complexity: O(bytes of journal), in the memory that the new store's index and the changes
    ///   of one segment take.
    @concurrent
    public static func salvage(
        from path: String,
        to newPath: String,
        configuration: JournalConfiguration = JournalConfiguration()
    ) async throws -> Report {
        let inspector = try JournalInspector(at: path, configuration: configuration)
        let isTaken = try describing("Salvaging") { () throws(SystemCallError) in
            try configuration.fileSystem.kind(of: newPath) != nil
        }
        guard !isTaken else {
            throw StorageError(
                .notAStore,
                "Something stands where the new store should be made. Name a place that is free.",
                path: newPath
            )
        }
        var walk = try inspector.walk()
        let storage = try await JournalStorage.open(at: newPath, configuration: configuration)
        var report = Report()
        var history = SalvagedHistory()
        while try walk.visitNext({ try collect($0, $1, &history, &report) }) {
            report.changes += history.changes.count
            try await apply(history.changes, to: storage)
            history.changes = []
        }
        report.records = try storage.snapshot().count
        try await storage.close()
        return report
    }

    private static func collect(
        _ event: borrowing JournalInspector.Event,
        _ payload: RawSpan,
        _ history: inout SalvagedHistory,
        _ report: inout Report
    ) throws {
        switch event {
        case .damage(let finding): report.findings.append(finding)
        case .frame(_, _, let header) where header.kind == .moves:
            try history.append(in: payload, nil)
        case .frame(_, _, let header):
            try history.append(in: payload, header.number...header.number)
        case .gap(_, let numbers): try history.append(in: payload, numbers)
        default: break
        }
    }

    private static func apply(
        _ changes: [Change],
        to storage: JournalStorage
    ) async throws {
        var rest = changes[...]
        while !rest.isEmpty {
            let batch = rest.prefix(rest.batchCount)
            rest.removeFirst(batch.count)
            _ = try await storage.write(.buffered) { transaction in
                for change in batch { try transaction.apply(change) }
            }
        }
    }
}

extension ArraySlice<Change> {
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

/// What was read so far: the changes that are still to be applied, and of which commit each key's
/// newest one was.
private struct SalvagedHistory {
    var changes: [Change] = []
    private var versions = BTree()

    /// Appends the changes of every intact entry in `bytes` that one of `numbers` wrote, or that
    /// was moved there.
    mutating func append(
        in bytes: RawSpan,
        _ numbers: ClosedRange<SequenceNumber>?
    ) throws(StorageError) {
        var number = numbers?.lowerBound ?? .zero
        var position = 0
        while position < bytes.byteCount {
            if let numbers,
                let (entry, writer) = FrameEntry.intact(in: bytes, at: position, number, numbers)
            {
                try append(entry, bytes, writer)
                number = writer
                position = entry.bytes.upperBound
            } else if let (entry, writer) = FrameEntry.moved(in: bytes, at: position) {
                try append(entry, bytes, writer)
                position = entry.bytes.upperBound
            } else {
                position += 1
            }
        }
    }

    /// Takes a change in, unless a later one of its key was read before.
    private mutating func append(
        _ entry: FrameEntry,
        _ bytes: RawSpan,
        _ number: SequenceNumber
    ) throws(StorageError) {
        let key = bytes.extracting(entry.key)
        let newest = try versions.withPayload(for: key) { $0.integer(at: 0, as: UInt64.self) }
        guard newest ?? 0 <= number.rawValue else { return }
        let payload = (0..<8).map { UInt8(truncatingIfNeeded: number.rawValue >> ($0 * 8)) }
        _ = try payload.withRawSpan { payload throws(StorageError) in
            try versions.insert(payload, for: key)
        }
        changes.append(
            Change(
                key: [UInt8](key),
                value: entry.value.map { [UInt8](bytes.extracting($0)) }
            )
        )
    }
}

extension FrameEntry {
    /// The furthest that an entry's writer is looked for behind the last one's: damage takes few
    /// transactions at once.
    private static let reach: UInt64 = 16

    /// An intact entry that stands with the number of its transaction before it.
    fileprivate static func moved(
        in bytes: RawSpan,
        at position: Int
    ) -> (FrameEntry, SequenceNumber)? {
        var position = position
        guard let number = bytes.longVarint(at: &position),
            let entry = FrameEntry(bytes, at: position),
            entry.key.count <= StorageLimits.keyBytes,
            entry.isIntact(in: bytes, number: SequenceNumber(number))
        else { return nil }
        return (entry, SequenceNumber(number))
    }

    fileprivate static func intact(
        in bytes: RawSpan,
        at position: Int,
        _ number: SequenceNumber,
        _ numbers: ClosedRange<SequenceNumber>
    ) -> (FrameEntry, SequenceNumber)? {
        guard let entry = FrameEntry(bytes, at: position),
            entry.key.count <= StorageLimits.keyBytes
        else { return nil }
        let last = min(numbers.upperBound.rawValue, number.rawValue &+ reach)
        for candidate in number.rawValue...Swift.max(number.rawValue, last)
        where entry.isIntact(in: bytes, number: SequenceNumber(candidate)) {
            return (entry, SequenceNumber(candidate))
        }
        return nil
    }
}

extension StorageTransaction {
    fileprivate func apply(_ change: Change) throws(StorageError) {
        if let value = change.value {
            try put(value, for: change.key)
        } else {
            try delete(change.key)
        }
    }
}
