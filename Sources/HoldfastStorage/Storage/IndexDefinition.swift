/// A secondary index: a name, a version, and the function that derives its keys.
public struct IndexDefinition: Sendable {
    /// Derives index keys from a record: calls `emit` once for each.
    ///
    /// It has to be a pure function of its input, must not trap on any bytes, and emits keys of at
    /// most ``StorageLimits/indexKeyBytes`` bytes (longer ones are cut to that). Equal keys of one
    /// record count once.
    public typealias Extractor =
        @Sendable (
            _ key: RawSpan,
            _ value: RawSpan,
            _ emit: (RawSpan) -> Void
        ) -> Void

    /// Which index this is; unique in its store.
    public let name: String
    /// Raised whenever `extract` changes what it emits: an index of another version is rebuilt.
    public let version: UInt32
    /// The keys of records that the index covers; others never reach the extractor.
    public let range: KeyRange
    /// The function that derives the keys.
    public let extract: Extractor

    /// Describes an index over the keys of `range`.
    public init(
        name: String,
        version: UInt32,
        range: KeyRange = .all,
        extract: @escaping Extractor
    ) {
        self.name = name
        self.version = version
        self.range = range
        self.extract = extract
    }

    /// Whether the entries of one are those of the other.
    func isSameIndex(as other: IndexDefinition) -> Bool {
        name == other.name && version == other.version
    }
}
