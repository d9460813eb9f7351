/// The indexes of one table that queries can run over, and how the engine calls them.
struct TableIndexes: Sendable {
    private(set) var indexes: [Index] = []
    private var names: [String] = []

    mutating func append(_ index: Index, named name: String) {
        indexes.append(index)
        names.append(name)
    }

    /// The engine's name of one of the indexes; `nil` where it is another one.
    func name(of index: Index) -> String? {
        indexes.firstIndex(of: index).map { names[$0] }
    }
}
