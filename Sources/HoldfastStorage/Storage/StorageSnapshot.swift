/// An immutable state of a ``Storage`` at a sequence number.
public protocol StorageSnapshot: AnyObject, Sendable {
    /// The last transaction that this state holds.
    var sequenceNumber: SequenceNumber { get }

    /// The number of keys.
    var count: Int { get }

    /// The value of a key, or `nil` where there is none.
    ///
    /// - Throws: ``StorageError`` `.corruption` when the value cannot be read back as it was
    ///   written; other keys are not affected.
    /// - Complexity: O(log n) and at most one read from the disk.
    func value(for key: RawSpan) throws(StorageError) -> [UInt8]?

    /// Whether a key has a value, without reading it.
    func contains(_ key: RawSpan) throws(StorageError) -> Bool

    /// The number of keys in a range.
    ///
    /// - Complexity: O(log n).
    func count(in range: KeyRange) throws(StorageError) -> Int

    /// Visits the keys of a range in order, with their values.
    ///
    /// - Parameters:
    ///   - range: The keys to visit.
    ///   - direction: The order to visit them in.
    ///   - visit: Called for each; `false` ends the scan. The spans are valid during the call.
    /// - Throws: What `visit` throws, or ``StorageError`` at the first value that cannot be read:
    ///   a scan never skips one.
    func scan(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws

    /// Visits the keys of a range in any order, with their values: the fastest way to see all.
    ///
    /// - Parameters:
    ///   - range: The keys to visit; each is visited once.
    ///   - visit: Called for each; `false` ends the scan. The spans are valid during the call.
    /// - Throws: What `visit` throws, or ``StorageError`` at a value that cannot be read: a scan
    ///   never skips one.
    func scanUnordered(
        _ range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws

    /// Visits the keys of a range in order, without reading their values.
    func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws

    /// Visits the entries of an index in order: index key, then record key.
    ///
    /// - Parameters:
    ///   - index: The index's name.
    ///   - range: The index keys to visit.
    ///   - direction: The order to visit them in; entries of one index key follow the same order by
    ///     their record keys.
    ///   - visit: Called for each; `false` ends the scan.
    /// - Throws: What `visit` throws, or ``StorageError`` `.unknownIndex`.
    func scanIndex(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws

    /// Visits the entries of one index key whose record keys are in a range, in the order of these.
    ///
    /// It is how a visit goes on in the middle of many records with equal index keys, and how one
    /// asks whether a record stands under an index key.
    ///
    /// - Parameters:
    ///   - index: The index's name.
    ///   - indexKey: The index key.
    ///   - keys: The record keys to visit.
    ///   - direction: The order to visit them in.
    ///   - visit: Called for each; `false` ends the scan.
    /// - Throws: What `visit` throws, or ``StorageError`` `.unknownIndex`.
    /// - Complexity: O(log n + visited).
    func scanIndex(
        _ index: String,
        at indexKey: [UInt8],
        _ keys: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws

    /// Visits the entries of an index in order, with the values of the records that they name.
    ///
    /// It is ``scanIndex(_:_:_:_:)`` with ``value(for:)`` of each key, and faster: values are read
    /// some at a time.
    ///
    /// - Parameters:
    ///   - index: The index's name.
    ///   - range: The index keys to visit.
    ///   - direction: The order to visit them in.
    ///   - count: How many entries the caller will want, where it knows that: it decides how far
    ///     values are read ahead, and nothing else.
    ///   - visit: Called for each; `false` ends the scan. The spans are valid during the call.
    /// - Throws: What `visit` throws, ``StorageError`` `.unknownIndex`, or ``StorageError`` at the
    ///   turn of the first value that cannot be read.
    func scanIndexValues(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws

    /// The number of entries of an index in a range of index keys.
    ///
    /// - Complexity: O(log n).
    func countIndex(_ index: String, in range: KeyRange) throws(StorageError) -> Int

    /// The names of the indexes that this state holds.
    var indexNames: [String] { get }
}

extension StorageSnapshot {
    /// Visits them in the order of their keys.
    public func scanUnordered(
        _ range: KeyRange,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try scan(range, .forward, visit)
    }

    /// Reads the value of each entry by itself.
    public func scanIndexValues(
        _ index: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        try scanIndex(index, range, direction) { indexKey, key in
            guard let value = try value(for: key) else { throw StorageError.missingRecord }
            return try value.withRawSpan { try visit(indexKey, key, $0) }
        }
    }
}

/// The order of a scan.
public enum ScanDirection: Hashable, Sendable {
    /// The least key first.
    case forward
    /// The greatest key first.
    case backward
}
