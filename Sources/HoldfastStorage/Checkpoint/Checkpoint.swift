/// A checkpoint that was opened: its trees, none of whose nodes are in memory yet.
package struct Checkpoint: Sendable {
    let position: JournalPosition
    let frame: UInt64
    package let segments: [SegmentSummary]
    package let retired: [RetiredRange]
    /// The records; the indexes wait until they are declared.
    package let root: StorageRoot
    let indexes: DormantIndexes
    let pages: PageFile
    /// The size of the file.
    let byteCount: UInt64

    init(
        _ header: CheckpointHeader,
        _ contents: CheckpointContents,
        _ file: any File,
        capacity: NodeCapacity
    ) {
        let pages = PageFile(file, salt: header.salt, end: header.contentsOffset)
        var trees: [BTree] = contents.trees.enumerated().map { index, tree in
            let pages = TreePages(
                pages,
                index == 0 ? .locations : .entries,
                longestKey: tree.longestKey,
                capacity: capacity
            )
            return BTree(count: tree.count, root: tree.root, pages: pages)
        }
        var root = StorageRoot(
            sequenceNumber: header.position.number,
            records: trees.removeFirst(),
            capacity: capacity
        )
        root.usage = JournalUsage(contents.segments)
        self.root = root
        position = header.position
        frame = header.frame
        segments = contents.segments
        retired = contents.retired
        indexes = DormantIndexes(
            root: root,
            position: header.position,
            trees: zip(contents.trees.dropFirst(), trees).map { tree, entries in
                DormantIndexes.Index(name: tree.name, version: tree.version, entries: entries)
            }
        )
        self.pages = pages
        byteCount = header.contentsOffset + header.contentsLength
    }

    /// The state with one of the indexes, which is declared as it was.
    package func root(declaring definition: IndexDefinition) -> StorageRoot {
        var root = root
        if let entries = indexes.entries(of: definition) {
            root.indexes = [SecondaryIndex(definition, entries: entries)]
        }
        return root
    }

    /// The retired segments, as the checkpoint has them: what counts when the list itself is
    /// damaged.
    var retiredSegments: RetiredSegments? {
        let place = RetiredSegments.Place(
            segment: position.segment,
            epoch: position.epoch,
            offset: position.offset,
            chain: position.chain
        )
        return RetiredSegments(retired.map(\.retired), proven: place)
    }

    /// The trees by name, that of the records without one.
    package var trees: [(name: String, tree: BTree)] {
        [("", root.records)] + indexes.trees.map { ($0.name, $0.entries) }
    }
}
