import HoldfastStorage

extension TableIndex {
    /// Raised whenever the keys that a record gets change.
    private static let version: UInt32 = 1

    /// The index as the engine builds and keeps it.
    var engineDefinition: IndexDefinition {
        IndexDefinition(
            name: engineName,
            version: Self.version,
            range: RecordKey.range(of: table)
        ) { _, value, emit in
        }
    }
}
