/// The pages that one tree's unloaded nodes are in, and what has to be true of them.
final class TreePages: Sendable {
    /// What a tree's payloads are.
    enum Payloads {
        /// Places of entries in the journal.
        case locations
        /// What ``IndexEntry`` says of its key.
        case entries
    }

    let file: PageFile
    let payloads: Payloads
    /// No key in the pages is longer.
    let longestKey: Int
    let capacity: NodeCapacity

    init(_ file: PageFile, _ payloads: Payloads, longestKey: Int, capacity: NodeCapacity) {
        self.file = file
        self.payloads = payloads
        self.longestKey = longestKey
        self.capacity = capacity
    }

    /// Reads a node.
    ///
    /// - Parameters:
    ///   - page: Where it is.
    ///   - level: Its level; `nil` for a root, whose level its page says.
    ///   - keyCount: The number of keys that it holds, or that are below it.
    /// - Returns: The node, which holds one count for the caller.
    /// - Throws: ``StorageError`` `.checkpointDamaged`.
    func node(
        at page: PageWord,
        level: Int?,
        keyCount: Int
    ) throws(StorageError) -> Node {
        let shape = PageShape(pages: self, page: page, level: level, keyCount: keyCount)
        return try file.withPage(page) { Node(page: BytesView($0), shape) }
    }
}
