import HoldfastStorage

/// Checks whether all records of a table keep a rule.
struct RuleVerification {
    let state: StoreState
    /// The step that the records went through, where only what it broke counts.
    var step: MigrationScope?

    /// Checks that no two records have the same values, but for those that had them before the
    /// step.
    ///
    /// - Throws: ``StoreError`` `.uniqueConflict`.
    /// - Complexity: O(n) for n records, and memory for their keys.
    func verify(_ index: TableIndex) throws {
        let rule = UniqueRule(index: index, engineName: nil)
        let step = try step?.had(index) == true ? step : nil
        func reject(_ key: [UInt8], _ other: [UInt8], _ values: [JSONValue]) throws {
            if try step?.found(values, at: [key, other], rule) == true { return }
            throw rule.conflict(of: key, with: other)
        }
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
                if let same { try reject(own, same.key, values) }
                cut[compound.bytes, default: []].append((values, own))
            } else if let other = holders.updateValue(own, forKey: compound.bytes) {
                try reject(own, other, values)
            }
        }
    }

    /// Checks that every record refers to one that is there, but for those that referred to nothing
    /// before the step.
    ///
    /// - Throws: ``StoreError`` `.missingReference`.
    /// - Complexity: O(n log m) for n records that refer to m.
    func verify(_ reference: TableReference) throws {
        let rule = ReferenceRule(reference)
        let step = try step?.had(reference) == true ? step : nil
        try scan(reference.table) { key, document in
            if try rule.holds(in: document, state) { return }
            if try step?.found(document, at: key, rule) == true { return }
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
