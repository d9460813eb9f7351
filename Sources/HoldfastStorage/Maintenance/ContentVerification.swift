/// Checks a state of a store against itself: every record through its tree, every index against
/// what the records give, every count against a recount.
///
/// Its memory does not depend on the store's size: entries are compared by the sum of their hashes,
/// and one by one only in an index whose sum differs.
struct ContentVerification {
    private static let checkInterval = 1 << 10

    private let root: StorageRoot
    private let files: SegmentFiles
    private let report: (_ bytes: UInt64) throws -> Void
    private(set) var findings: [Finding] = []
    private(set) var records = 0
    private(set) var indexEntries = 0
    private var expected: [EntrySum]

    /// A check that tells `report` the bytes of each some records; what that throws ends it.
    init(
        _ root: StorageRoot,
        _ files: SegmentFiles,
        report: @escaping (_ bytes: UInt64) throws -> Void
    ) {
        self.root = root
        self.files = files
        self.report = report
        expected = root.indexes.map { _ in EntrySum() }
    }

    /// Runs the whole check.
    mutating func run() throws {
        try checkTree(root.records, "the records")
        for index in root.indexes { try checkTree(index.entries, "an index") }
        try checkUsage()
        let isReadable = try readRecords()
        if records != root.records.count {
            findings.append(.count(root.records.count, of: "records", found: records))
        }
        // What a record gives that cannot be read is not known.
        if isReadable { try compareIndexes() }
    }

    private mutating func checkTree(_ tree: BTree, _ what: String) throws {
        try Task.checkCancellation()
        do {
            try tree.checkInvariants()
        } catch let defect as TreeDefect {
            findings.append(.tree(what, defect))
        }
    }

    /// Counts again what the records take of each segment: compaction gives up what it takes for
    /// empty.
    private mutating func checkUsage() throws {
        guard let usage = root.usage else { return }
        var counted: [UInt32: UInt64] = [:]
        try root.records.forEach(in: .all) { _, payload in
            let location = EntryLocation(payload)
            counted[location.segment, default: 0] += UInt64(location.length)
            return true
        }
        for (segment, bytes) in counted.sorted(by: { $0.key < $1.key })
        where usage.live(in: segment) != bytes || usage.retired.contains(segment) {
            findings.append(.usage(segment, counted: usage.live(in: segment), found: bytes))
        }
        let total = counted.values.reduce(0, +)
        if usage.liveBytes != total {
            let count = Int(clamping: usage.liveBytes)
            findings.append(.count(count, of: "live bytes", found: Int(clamping: total)))
        }
    }

    /// - Returns: Whether every record could be read.
    private mutating func readRecords() throws -> Bool {
        do {
            try scanRecords()
            return true
        } catch let error as StorageError where error.code == .corruption {
            // A scan ends at the first: now each by itself.
            records = 0
            try readEachRecord()
            return false
        }
    }

    private mutating func scanRecords() throws {
        expected = root.indexes.map { _ in EntrySum() }
        records = 0
        var bytes: UInt64 = 0
        var sums = expected
        var count = 0
        var failure: (any Error)?
        try files.scanUnordered(root.records, in: .all) { key, value in
            do {
                bytes += UInt64(key.byteCount + value.byteCount)
                count += 1
                if count % Self.checkInterval == 0 {
                    try Task.checkCancellation()
                    try report(bytes)
                    bytes = 0
                }
                for index in root.indexes.indices {
                    root.indexes[index].addEntries(of: key, value, to: &sums[index])
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try report(bytes)
        (expected, records) = (sums, count)
    }

    private mutating func readEachRecord() throws {
        var found: [Finding] = []
        var count = 0
        var failure: (any Error)?
        try root.records.forEach(in: .all) { key, payload in
            do {
                count += 1
                if count % Self.checkInterval == 0 { try Task.checkCancellation() }
                do throws(StorageError) {
                    try files.withValue(at: payload, for: key) { _ in }
                } catch {
                    guard error.code == .corruption || error.code == .inputOutput else {
                        throw error
                    }
                    found.append(.record(error))
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        findings += found
        records = count
    }

    private mutating func compareIndexes() throws {
        for (index, expected) in zip(root.indexes, expected) {
            var found = EntrySum()
            try index.entries.forEach(in: .all) { entry, payload in
                found.add(entry, payload)
                return true
            }
            indexEntries += found.count
            guard found != expected else { continue }
            let missing = try missingEntries(of: index)
            findings.append(
                .index(missing: missing, extra: found.count - (expected.count - missing))
            )
        }
    }

    /// How many entries of its records an index lacks.
    private func missingEntries(of index: SecondaryIndex) throws -> Int {
        var missing = 0
        var failure: StorageError?
        try files.scanUnordered(root.records, in: index.definition.range) { key, value in
            do throws(StorageError) {
                for entry in index.entryKeys(of: key, value) where try !index.contains(entry) {
                    missing += 1
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return missing
    }
}

/// A set of entries by their number and the sum of their hashes: the same for the same entries, in
/// whatever order they come.
private struct EntrySum: Equatable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(_ entry: RawSpan, _ payload: RawSpan) {
        count += 1
        sum &+= XXH64.hash(of: entry, seed: XXH64.hash(of: payload))
    }
}

extension SecondaryIndex {
    /// Adds what a record should have in the index.
    fileprivate func addEntries(of key: RawSpan, _ value: RawSpan, to sum: inout EntrySum) {
        guard definition.range.contains(key) else { return }
        for entry in entryKeys(of: key, value) {
            entry.withRawSpan { entry in
                IndexEntry.payload(ofEntry: entry, recordBytes: key.byteCount)
                    .withRawSpan { sum.add(entry, $0) }
            }
        }
    }

    fileprivate func contains(_ entryKey: [UInt8]) throws(StorageError) -> Bool {
        try entryKey.withRawSpan { entry throws(StorageError) in try entries.contains(entry) }
    }
}
