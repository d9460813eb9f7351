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
        try records.scanValues(in: range, direction, reading: source) { key, value in
            Self.visit(&failure) { try visit(key, value) }
        }
        if let failure { throw failure }
    }

    /// Visits the records of a range in any order, with their values.
    func scanUnordered<Source: ValueSource>(
        _ range: KeyRange,
        reading source: Source,
        _ visit: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try source.scanUnordered(records, in: range) { key, value in
            Self.visit(&failure) { try visit(key, value) }
        }
        if let failure { throw failure }
    }

    /// Runs a visitor's step, and keeps what it throws.
    @inline(__always)
    private static func visit(_ failure: inout (any Error)?, _ step: () throws -> Bool) -> Bool {
        do {
            return try step()
        } catch {
            failure = error
            return false
        }
    }

    func scanKeys(
        _ range: KeyRange,
        _ direction: ScanDirection,
        _ visit: (_ key: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try records.forEach(in: range, direction) { key, _ in
            Self.visit(&failure) { try visit(key) }
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
            Self.visit(&failure) { try visit(indexKey, key) }
        }
        if let failure { throw failure }
    }

    /// Visits the entries of an index in order, with the values of the records that they name.
    func scanIndexValues<Source: ValueSource>(
        _ name: String,
        _ range: KeyRange,
        _ direction: ScanDirection,
        expecting count: Int?,
        reading source: Source,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        var batch = ValueBatch(expecting: count)
        var outcome = Result<Bool, StorageError>.success(true)
        func deliver(_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) -> Bool {
            Self.visit(&failure) { try visit(indexKey, key, value) }
        }
        try index(named: name).scan(IndexEntry.range(range), direction) { indexKey, key in
            outcome = add(key, under: indexKey, to: &batch, reading: source, deliver)
            return outcome.goesOn
        }
        if outcome.goesOn, !batch.isEmpty {
            outcome = batch.readAndDeliver(from: source, deliver)
        }
        _ = try outcome.get()
        if let failure { throw failure }
    }

    /// Adds an entry of an index to a batch, and hands the batch out when it is full.
    private func add<Source: ValueSource>(
        _ key: RawSpan,
        under indexKey: RawSpan,
        to batch: inout ValueBatch,
        reading source: Source,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) -> Result<Bool, StorageError> {
        do throws(StorageError) {
            guard Source.readsAhead else {
                let goesOn = try records.withPayload(for: key) { payload throws(StorageError) in
                    try source.withValue(at: payload, for: key) { visit(indexKey, key, $0) }
                }
                guard let goesOn else { throw .missingRecord }
                return .success(goesOn)
            }
            let location = try records.withPayload(for: key) { EntryLocation($0) }
            batch.append(indexKey, key, at: location)
            return batch.isFull ? batch.readAndDeliver(from: source, visit) : .success(true)
        } catch {
            return .failure(error)
        }
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
