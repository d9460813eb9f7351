/// The indexes of a checkpoint, which wait until the program says how their keys are derived.
struct DormantIndexes: Sendable {
    struct Index: Sendable {
        let name: String
        let version: UInt32
        let entries: BTree
    }

    /// The state that they are of.
    let root: StorageRoot
    let trees: [Index]

    /// The entries of an index as it is declared.
    func entries(of definition: IndexDefinition) -> BTree? {
        trees.first { $0.name == definition.name && $0.version == definition.version }?.entries
    }
}
