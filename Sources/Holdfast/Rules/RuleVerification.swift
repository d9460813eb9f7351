import HoldfastStorage

/// Checks whether all records of a table keep a rule.
struct RuleVerification {
    let state: StoreState

    /// Checks that no two records have the same values.
    ///
    /// - Throws: ``StoreError`` `.uniqueConflict`.
    /// - Complexity: O(n) for n records, and memory for their keys.
    func verify(_ index: TableIndex) throws {
        let rule = UniqueRule(index: index, engineName: nil)
        var holders: [[UInt8]: [UInt8]] = [:]
        // Of keys that are cut, all holders: their values may differ.
        var cut: [[UInt8]: [(values: [JSONValue], key: [UInt8])]] = [:]
        try scan(index.table) { key, document in
            guard let values = try rule.values(in: document) else { return }
            var compound = CompoundKey()
            for value in values { compound.append(value) }
            let own = key.array
            if compound.isTruncated {
                let same = cut[compound.bytes]?.first { Self.areSame($0.values, values) }
                if let same { throw rule.conflict(of: own, with: same.key) }
                cut[compound.bytes, default: []].append((values, own))
            } else if let other = holders.updateValue(own, forKey: compound.bytes) {
                throw rule.conflict(of: own, with: other)
            }
        }
    }

    /// Checks that every record refers to one that is there.
    ///
    /// - Throws: ``StoreError`` `.missingReference`.
    /// - Complexity: O(n log m) for n records that refer to m.
    func verify(_ reference: TableReference) throws {
        let rule = ReferenceRule(reference)
        try scan(reference.table) { key, document in
            if try rule.holds(in: document, state) { return }
            throw rule.missing(at: key.array, try rule.value(in: document))
        }
    }

    private func scan(
        _ table: TableName,
        _ visit: (_ key: RawSpan, _ document: RawSpan) throws -> Void
    ) throws {
        try StoreError.translate(table: table) {
            try state.storage.scan(RecordKey.range(of: table), .forward) { key, document in
                do {
                    try visit(key, document)
                } catch let error as DocumentError {
                    throw StoreError(error, at: key)
                }
                return true
            }
        }
    }

    private static func areSame(_ left: [JSONValue], _ right: [JSONValue]) -> Bool {
        zip(left, right).allSatisfy { $0.order(to: $1) == .same }
    }
}
