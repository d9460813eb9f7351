/// The indexes of a checkpoint, which wait until the program says how their keys are derived.
struct DormantIndexes: Sendable {
    struct Index: Sendable {
        let name: String
        let version: UInt32
        let entries: BTree
    }

    /// The state that they are of, and where the journal ended then.
    let root: StorageRoot
    let position: JournalPosition
    let trees: [Index]

    /// The indexes that are declared as they were, brought up to a newer state: what has changed
    /// since is read from the journal.
    ///
    /// - Returns: Nothing where that fails; they are built then, as if they had not been there.
    func woken(
        _ definitions: [IndexDefinition],
        in head: StorageRoot,
        _ changes: ChangeReader,
        _ files: SegmentFiles
    ) -> [SecondaryIndex] {
        var awaking = Awaking(base: self, head: head, files: files)
        awaking.indexes = indexes(definitions)
        guard !awaking.indexes.isEmpty else { return [] }
        changes.startAt(position)
        do throws(StorageError) {
            try awaking.catchUp(changes)
            return awaking.indexes
        } catch {
            return []
        }
    }

    /// The indexes that are declared as they were, as they were.
    func indexes(_ definitions: [IndexDefinition]) -> [SecondaryIndex] {
        definitions.compactMap { definition in
            entries(of: definition).map { SecondaryIndex(definition, entries: $0) }
        }
    }

    /// The entries of an index as it is declared.
    func entries(of definition: IndexDefinition) -> BTree? {
        trees.first { $0.name == definition.name && $0.version == definition.version }?.entries
    }
}
