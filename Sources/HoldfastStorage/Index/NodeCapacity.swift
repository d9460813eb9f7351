/// How much a node of a ``BTree`` holds before it is split.
package struct NodeCapacity: Hashable, Sendable {
    /// The greatest number of entries.
    package let entries: Int
    /// The size in bytes from which a node of more than ``guaranteedEntries`` is split.
    package let bytes: Int

    /// A node holds so many entries whatever their size, so that large keys cannot make the tree
    /// deep.
    static let guaranteedEntries = 4

    /// What measures best: nodes of two to eight KiB.
    package static let standard = NodeCapacity(entries: 64, bytes: 8_192)

    /// A capacity of at least four entries; small ones are for tests, which want many nodes.
    package init(entries: Int, bytes: Int = 8_192) {
        self.entries = min(max(entries, Self.guaranteedEntries), 4_096)
        self.bytes = max(bytes, 64)
    }

    func fits(entries count: Int, bytes used: Int) -> Bool {
        count <= entries && (used <= bytes || count <= Self.guaranteedEntries)
    }
}
