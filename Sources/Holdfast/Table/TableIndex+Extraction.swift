import HoldfastStorage

extension TableIndex {
    /// Raised whenever the keys that a record gets change.
    private static let version: UInt32 = 1

    /// The index as the engine builds and keeps it.
    var engineDefinition: IndexDefinition {
        IndexDefinition(
            name: engineName,
            version: Self.version,
            range: RecordKey.range(of: table),
            extract: extractor
        )
    }

    private var extractor: IndexDefinition.Extractor {
        switch index.kind {
        case .ordered, .unique:
            let extractor = IndexKeyExtractor(fields: index.fields)
            return { _, value, emit in extractor.extract(from: value, emit) }
        case .words:
            let extractor = WordExtractor(fields: index.fields)
            return { _, value, emit in extractor.extract(from: value, emit) }
        }
    }
}
