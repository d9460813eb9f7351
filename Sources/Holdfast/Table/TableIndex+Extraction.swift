import HoldfastStorage

extension TableIndex {
    /// Raised whenever the keys that a record gets change.
    private static let version: UInt32 = 1

    /// The index as the engine builds and keeps it.
    var engineDefinition: IndexDefinition {
        let extractor = IndexKeyExtractor(fields: index.fields)
        return IndexDefinition(
            name: engineName,
            version: Self.version,
            range: RecordKey.range(of: table)
        ) { _, value, emit in
            extractor.extract(from: value, emit)
        }
    }
}
