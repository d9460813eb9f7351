extension BTree {
    /// Visits the keys of a range in order, with their values; `expecting` is the number that the
    /// visitor will want, where it is known.
    ///
    /// - Throws: ``StorageError`` at the first value that cannot be read.
    func scanValues<Source: ValueSource>(
        in range: KeyRange,
        _ direction: ScanDirection,
        reading source: Source,
        expecting count: Int? = nil,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) {
        guard Source.readsAhead else {
            return try scanNearValues(in: range, direction, reading: source, visit)
        }
        var batch = ValueBatch(expecting: count)
        var outcome = Result<Bool, StorageError>.success(true)
        try forEach(in: range, direction) { key, payload in
            batch.append(key, at: payload)
            guard batch.isFull else { return true }
            outcome = batch.readAndDeliver(from: source) { _, key, value in visit(key, value) }
            return outcome.goesOn
        }
        if outcome.goesOn, !batch.isEmpty {
            outcome = batch.readAndDeliver(from: source) { _, key, value in visit(key, value) }
        }
        _ = try outcome.get()
    }

    /// Visits values that cost nothing to reach.
    private func scanNearValues<Source: ValueSource>(
        in range: KeyRange,
        _ direction: ScanDirection,
        reading source: Source,
        _ visit: (_ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(StorageError) {
        var outcome = Result<Bool, StorageError>.success(true)
        try forEach(in: range, direction) { key, payload in
            outcome = Result { () throws(StorageError) in
                try source.withValue(at: payload, for: key) { visit(key, $0) }
            }
            return outcome.goesOn
        }
        _ = try outcome.get()
    }
}

extension ValueBatch {
    mutating func readAndDeliver<Source: ValueSource>(
        from source: Source,
        _ visit: (_ indexKey: RawSpan, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) -> Result<Bool, StorageError> {
        source.read(&self)
        do throws(StorageError) {
            return .success(try deliver(from: source, visit))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<Bool, StorageError> {
    /// Whether a visit may go on.
    var goesOn: Bool {
        if case .success(true) = self { true } else { false }
    }
}
