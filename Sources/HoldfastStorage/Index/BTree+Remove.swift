extension BTree {
    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    /// - Complexity: O(log n).
    @discardableResult
    package mutating func remove(_ key: RawSpan) throws(StorageError) -> Bool {
        // Looking first keeps a removal of nothing from copying what snapshots share.
        guard try contains(key) else { return false }
        let root = unsafe makeUniqueRoot()
        try unsafe remove(BytesView(key), from: &root.pointee)
        count -= 1
        unsafe shrinkRoot(&root.pointee)
        if count == 0 { owner = nil }
        return true
    }

    /// Removes a key that is there; the node that the reference leads to may be underfull
    /// afterwards.
    private func remove(
        _ key: BytesView,
        from reference: inout NodeReference
    ) throws(StorageError) {
        var node = try reference.uniqueNode()
        guard !node.isLeaf else { return node.remove(at: node.position(of: key, from: 0).index) }
        let index = node.childIndex(for: key)
        let child = unsafe node.child(index)
        try unsafe remove(key, from: &child.pointee.reference)
        unsafe child.pointee.count -= 1
        guard unsafe child.pointee.reference.loadedNode.isUnderfull(capacity) else { return }
        try node.mergeChild(at: index, capacity)
        reference = NodeReference(node)
    }

    private func shrinkRoot(_ root: inout NodeReference) {
        var node = root.loadedNode
        while !node.isLeaf, node.count == 1 {
            root = unsafe node.child(0).pointee.reference
            node.discard()
            node = root.loadedNode
        }
    }
}
