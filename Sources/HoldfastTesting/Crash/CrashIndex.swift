import HoldfastStorage

/// A secondary index of the stores that are crashed: each record under its value's first byte.
enum CrashIndex {
    static let definition = IndexDefinition(name: "first byte", version: 1) { _, value, emit in
        emit(value.extracting(first: 1))
    }

    /// - Throws: ``CrashViolation`` where the index, if the store has it, is not that of its
    ///   records.
    static func check(
        _ snapshot: any StorageSnapshot,
        of state: CrashHistory.State
    ) throws {
        guard snapshot.indexNames.contains(definition.name) else { return }
        var entries: [[UInt8]] = []
        try snapshot.scanIndex(definition.name, .all, .forward) { indexKey, key in
            entries.append([UInt8](indexKey) + [UInt8](key))
            return true
        }
        let expected = state.map { Array($0.value.prefix(1)) + $0.key }
            .sorted { $0.lexicographicallyPrecedes($1) }
        guard entries == expected else {
            throw CrashViolation("The index holds \(entries), and the records \(expected).")
        }
    }
}
