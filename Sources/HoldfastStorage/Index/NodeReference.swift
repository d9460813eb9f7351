/// Where a child is: one word that holds one count of a node.
///
/// Today a child is always in memory. The word has room for a tag and a page number, and every path
/// from a reference to its node already throws, because a checkpoint's nodes will be pages that are
/// read, and may be found damaged, when they are first touched.
@safe struct NodeReference: BitwiseCopyable {
    private var address: UnsafeMutableRawPointer

    @inline(__always)
    init(_ node: Node) { unsafe address = unsafe node.base }

    /// The node, which the reference keeps alive.
    @inline(__always)
    func node() throws(StorageError) -> Node { loadedNode }

    /// The node of a reference that is known to be in memory.
    @inline(__always)
    var loadedNode: Node { unsafe Node(base: address) }

    /// The node for changing it: the one that is there when nobody else holds it, else a copy that
    /// takes its place.
    @inline(__always)
    mutating func uniqueNode() throws(StorageError) -> Node {
        let node = try node()
        if node.isUniquelyReferenced { return node }
        let copy = node.copy()
        self = NodeReference(copy)
        node.release()
        return copy
    }
}
