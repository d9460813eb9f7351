extension StorageRoot {
    func value<Source: ValueSource>(
        for key: RawSpan,
        reading source: Source
    ) throws(StorageError) -> [UInt8]? {
        try records.withPayload(for: key) { (payload) throws(StorageError) in
            try source.value(at: payload, for: key)
        }
    }

    func scan<Source: ValueSource>(
        _ range: KeyRange,
        _ direction: ScanDirection,
        reading source: Source,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try records.forEach(in: range, direction) { key, payload in
            do {
                return try source.withValue(at: payload, for: key) { value in
                    do {
                        return try visit(key, value)
                    } catch {
                        failure = error
                        return false
                    }
                }
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try records.forEach(in: range, direction) { key, _ in
            do {
                return try visit(key)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    func scanIndex(
        _ name: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws {
        try scanEntries(of: name, IndexEntry.range(range), direction, visit)
    }

    func scanIndex(
        _ name: String,
        at indexKey: [UInt8],
        _ keys: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        let range = IndexEntry.range(of: indexKey, keys)
        try scanEntries(of: name, range, direction) { _, key in try visit(key) }
    }

    private func scanEntries(
        of name: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try index(named: name).scan(range, direction) { indexKey, key in
            do {
                return try visit(indexKey, key)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    func countIndex(_ name: String, in range: KeyRange) throws(StorageError) -> Int {
        try index(named: name).count(in: range)
    }

    var indexNames: [String] { indexes.map(\.definition.name) }

    private func index(named name: String) throws(StorageError) -> SecondaryIndex {
        guard let index = indexes.first(where: { $0.definition.name == name }) else {
            throw StorageError(
                .unknownIndex,
                "The store has no index \"\(name)\"; declare it first."
            )
        }
        return index
    }
}
