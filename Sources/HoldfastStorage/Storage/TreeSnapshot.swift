/// A snapshot: a root, which never changes, and where its values are.
package final class TreeSnapshot<Source: ValueSource>: StorageSnapshot {
    private let root: StorageRoot
    private let source: Source
    /// Keeps the files that the root needs.
    private let pin: SegmentPin?

    /// A snapshot of `root`, whose payloads `source` understands.
    package init(_ root: StorageRoot, reading source: Source) {
        self.root = root
        self.source = source
        pin = nil
    }

    /// A snapshot of `root` whose files stay as long as it does.
    init(_ root: StorageRoot, reading source: Source, pin: SegmentPin) {
        self.root = root
        self.source = source
        self.pin = pin
    }

    package var sequenceNumber: SequenceNumber { root.sequenceNumber }

    package var count: Int { root.records.count }

    package var indexNames: [String] { root.indexNames }

    @_specialize(where Source == SegmentFiles)
    @_specialize(where Source == MemoryLog)
    package func value(for key: RawSpan) throws(StorageError) -> [UInt8]? {
        try root.value(for: key, reading: source)
    }

    package func contains(_ key: RawSpan) throws(StorageError) -> Bool {
        try root.records.contains(key)
    }

    package func count(in range: KeyRange) throws(StorageError) -> Int {
        try root.records.count(in: range)
    }

    @_specialize(where Source == SegmentFiles)
    @_specialize(where Source == MemoryLog)
    package func scan(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try root.scan(range, direction, reading: source, visit)
    }

    @_specialize(where Source == SegmentFiles)
    @_specialize(where Source == MemoryLog)
    package func scanUnordered(
        _ range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try root.scanUnordered(range, reading: source, visit)
    }

    @_specialize(where Source == SegmentFiles)
    @_specialize(where Source == MemoryLog)
    package func scanIndexValues(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try root.scanIndexValues(
            index,
            range,
            direction,
            expecting: count,
            reading: source,
            visit
        )
    }

    package func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try root.scanKeys(range, direction, visit)
    }

    package func scanIndex(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws {
        try root.scanIndex(index, range, direction, visit)
    }

    package func scanIndex(
        _ index: String,
        at indexKey: [UInt8],
        _ keys: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        try root.scanIndex(index, at: indexKey, keys, direction, visit)
    }

    package func countIndex(_ index: String, in range: KeyRange) throws(StorageError) -> Int {
        try root.countIndex(index, in: range)
    }
}
