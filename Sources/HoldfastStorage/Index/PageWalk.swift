/// Writes a tree's nodes as pages, children before their parents, a piece at a time.
///
/// Nodes that are not in memory are copied from their old pages, and are not loaded by that. The
/// walk holds the tree, whose shared nodes nobody changes.
struct PageWalk {
    /// A node on the path from the root, some of whose children are written.
    private struct Step {
        let node: Node
        /// Holds a node that was read for this walk alone.
        let holder: HeldNode?
        var words: [PageWord] = []
    }

    private let tree: BTree
    private var path: [Step] = []
    /// The page of the root, once all is written; `nil` for an empty tree.
    private(set) var root: PageWord?

    init(_ tree: BTree) throws(StorageError) {
        self.tree = tree
        guard let owner = tree.owner else { return }
        let reference = unsafe NodeReference.load(at: UnsafeMutableRawPointer(owner.root))
        path = [try step(reference, level: nil, keyCount: tree.count)]
    }

    /// Writes pages until the output is full.
    ///
    /// - Returns: Whether all is written.
    mutating func run(_ output: inout PageOutput) throws(StorageError) -> Bool {
        while let last = path.indices.last {
            if output.isFull { return false }
            let node = path[last].node
            let index = path[last].words.count
            if node.isLeaf || index == node.count {
                let word = try output.append(node, children: path[last].words)
                path.removeLast()
                finished(word)
            } else {
                try visitChild(index, of: node, &output)
            }
        }
        return true
    }

    private mutating func finished(_ word: PageWord) {
        if path.isEmpty { root = word } else { path[path.count - 1].words.append(word) }
    }

    private mutating func visitChild(
        _ index: Int,
        of node: Node,
        _ output: inout PageOutput
    ) throws(StorageError) {
        let child = unsafe node.child(index)
        let reference = unsafe NodeReference.load(at: UnsafeMutableRawPointer(child))
        if node.level == 1, let page = reference.page, let pages = tree.owner?.pages {
            finished(try output.append(page, of: pages.file))
        } else {
            let count = unsafe child.pointee.count
            path.append(try step(reference, level: node.level - 1, keyCount: count))
        }
    }

    private func step(
        _ reference: NodeReference,
        level: Int?,
        keyCount: Int
    ) throws(StorageError) -> Step {
        guard let page = reference.page else {
            return Step(node: reference.loadedNode, holder: nil)
        }
        guard let pages = tree.owner?.pages else { throw .missingPages }
        let node = try pages.node(at: page, level: level, keyCount: keyCount)
        return Step(node: node, holder: HeldNode(node))
    }
}

/// Holds one count of a node.
private final class HeldNode {
    private let node: Node

    init(_ node: Node) { self.node = node }

    deinit { node.release() }
}
