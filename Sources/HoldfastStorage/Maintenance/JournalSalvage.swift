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

    private static let batch = 1_000

    /// Applies every change that is intact, in the order of the journal, to a new store.
    ///
    /// Each entry is judged by its own check, so that damage takes the records that it touches and
    /// no others. A change that is lost leaves the key's older value, if that is intact.
    ///
    /// - Parameters:
    ///   - path: The damaged store, which is not changed.
    ///   - newPath: Where the new store is made; nothing may be there.
    ///   - configuration: The environment of both.
    /// - Returns: What was saved.
    /// - Throws: ``StorageError`` when there is no store at `path`, or the new one cannot be
    ///   written; what it holds by then is not complete.
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
        var report = Report()
        let changes = try read(inspector, &report)
        let storage = try await JournalStorage.open(at: newPath, configuration: configuration)
        for start in stride(from: 0, to: changes.count, by: batch) {
            let part = changes[start..<min(start + batch, changes.count)]
            _ = try await storage.write(.buffered) { transaction in
                for change in part { try transaction.apply(change) }
            }
        }
        report.changes = changes.count
        report.records = try storage.snapshot().count
        try await storage.close()
        return report
    }

    private static func read(
        _ inspector: JournalInspector,
        _ report: inout Report
    ) throws -> [Change] {
        var changes: [Change] = []
        try inspector.inspect { event, payload in
            switch event {
            case .damage(let finding): report.findings.append(finding)
            case .frame(_, _, let header) where header.kind == .transaction:
                changes.append(in: payload, header.number...header.number)
            case .gap(_, let numbers): changes.append(in: payload, numbers)
            default: break
            }
        }
        return changes
    }
}

extension [Change] {
    /// Appends the changes of every intact entry in `bytes` that one of `numbers` wrote.
    fileprivate mutating func append(
        in bytes: RawSpan,
        _ numbers: ClosedRange<SequenceNumber>
    ) {
        var number = numbers.lowerBound
        var position = 0
        while position < bytes.byteCount {
            if let (entry, writer) = FrameEntry.intact(in: bytes, at: position, number, numbers) {
                append(
                    Change(
                        key: [UInt8](bytes.extracting(entry.key)),
                        value: entry.value.map { [UInt8](bytes.extracting($0)) }
                    )
                )
                number = writer
                position = entry.bytes.upperBound
            } else {
                position += 1
            }
        }
    }
}

extension FrameEntry {
    /// The furthest that an entry's writer is looked for behind the last one's: damage takes few
    /// transactions at once.
    private static let reach: UInt64 = 16

    fileprivate static func intact(
        in bytes: RawSpan,
        at position: Int,
        _ number: SequenceNumber,
        _ numbers: ClosedRange<SequenceNumber>
    ) -> (FrameEntry, SequenceNumber)? {
        guard let entry = FrameEntry(bytes, at: position) else { return nil }
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
