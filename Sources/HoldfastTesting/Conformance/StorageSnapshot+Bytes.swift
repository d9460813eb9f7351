import HoldfastStorage

/// A key and its value, or an index key and a record's key.
struct Pair: Equatable, CustomStringConvertible {
    var key: Bytes
    var value: Bytes

    init(_ key: Bytes, _ value: Bytes) {
        self.key = key
        self.value = value
    }

    init(_ key: String, _ value: String) {
        self.init(Bytes(key.utf8), Bytes(value.utf8))
    }

    var description: String {
        "\(String(decoding: key, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
    }
}

extension Bytes {
    init(_ text: String) { self.init(text.utf8) }

    init(copying span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe Bytes($0) }
    }

    func withRawSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(span.bytes)
    }
}

extension StorageSnapshot {
    func value(_ key: Bytes) throws -> Bytes? { try value(for: key) }

    func value(_ key: String) throws -> String? {
        try value(Bytes(key)).map { String(decoding: $0, as: UTF8.self) }
    }

    func contains(_ key: String) throws -> Bool {
        try contains(Bytes(key))
    }

    func pairs(
        _ range: KeyRange = .all,
        _ direction: ScanDirection = .forward,
        limit: Int = .max
    ) throws -> [Pair] {
        var pairs: [Pair] = []
        guard limit > 0 else { return pairs }
        try scan(range, direction) { key, value in
            pairs.append(Pair(Bytes(copying: key), Bytes(copying: value)))
            return pairs.count < limit
        }
        return pairs
    }

    func unorderedPairs(_ range: KeyRange = .all, limit: Int = .max) throws -> [Pair] {
        var pairs: [Pair] = []
        try scanUnordered(range) { key, value in
            pairs.append(Pair(Bytes(copying: key), Bytes(copying: value)))
            return pairs.count < limit
        }
        return pairs
    }

    func indexedPairs(
        _ index: String,
        _ direction: ScanDirection,
        expecting count: Int?,
        limit: Int = .max
    ) throws -> [Pair] {
        var pairs: [Pair] = []
        try scanIndexValues(index, .all, direction, expecting: count) { _, key, value in
            pairs.append(Pair(Bytes(copying: key), Bytes(copying: value)))
            return pairs.count < limit
        }
        return pairs
    }

    func keys(
        _ range: KeyRange = .all,
        _ direction: ScanDirection = .forward
    ) throws -> [Bytes] {
        var keys: [Bytes] = []
        try scanKeys(range, direction) { key in
            keys.append(Bytes(copying: key))
            return true
        }
        return keys
    }

    func entries(
        _ index: String,
        _ range: KeyRange = .all,
        _ direction: ScanDirection = .forward
    ) throws -> [Pair] {
        var entries: [Pair] = []
        try scanIndex(index, range, direction) { indexKey, key in
            entries.append(Pair(Bytes(copying: indexKey), Bytes(copying: key)))
            return true
        }
        return entries
    }

    func records(
        _ index: String,
        at indexKey: Bytes,
        _ range: KeyRange = .all,
        _ direction: ScanDirection = .forward
    ) throws -> [Bytes] {
        var keys: [Bytes] = []
        try scanIndex(index, at: indexKey, range, direction) { key in
            keys.append(Bytes(copying: key))
            return true
        }
        return keys
    }
}

extension StorageTransaction {
    func put(_ key: Bytes, _ value: Bytes) throws { try put(value, for: key) }

    func put(_ key: String, _ value: String) throws {
        try put(Bytes(key), Bytes(value))
    }

    @discardableResult
    func delete(_ key: String) throws -> Bool {
        try delete(Bytes(key))
    }
}

extension Storage {
    @discardableResult
    func commit(
        _ durability: Durability = .buffered,
        _ body: sending (any StorageTransaction) throws -> sending Void
    ) async throws -> SequenceNumber {
        try await write(durability, body).sequenceNumber
    }

    /// Commits one transaction that puts every pair.
    @discardableResult
    func commit(_ pairs: Pair...) async throws -> SequenceNumber {
        try await commit { transaction in
            for pair in pairs { try transaction.put(pair.key, pair.value) }
        }
    }
}
