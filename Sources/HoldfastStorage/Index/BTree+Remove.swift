extension BTree {
    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: ``StorageError`` `.checkpointDamaged`; nothing has changed.
    /// - Complexity: O(log n).
    @discardableResult
    package mutating func remove(_ key: RawSpan) throws(StorageError) -> Bool {
        // Looking first keeps a removal of nothing from copying what snapshots share; and all that
        // has to be read is read then, before anything is changed.
        guard try contains(key) else { return false }
        let owner = try makeUniqueOwner()
        unsafe remove(BytesView(key), from: &owner.root.pointee)
        count -= 1
        unsafe shrinkRoot(&owner.root.pointee)
        if count == 0 { self.owner = nil }
        return true
    }

    /// Removes a key that is there, on a path that is in memory; the node that the reference leads
    /// to may be underfull afterwards.
    private func remove(_ key: BytesView, from reference: inout NodeReference) {
        var node = reference.uniqueNode()
        guard !node.isLeaf else { return node.remove(at: node.position(of: key, from: 0).index) }
        let index = node.childIndex(for: key)
        let child = unsafe node.child(index)
        unsafe remove(key, from: &child.pointee.reference)
        unsafe child.pointee.count -= 1
        guard unsafe child.pointee.reference.loadedNode.isUnderfull(capacity) else { return }
        node.mergeChild(at: index, capacity)
        reference = NodeReference(node)
    }

    private func shrinkRoot(_ root: inout NodeReference) {
        var node = root.loadedNode
        while !node.isLeaf, node.count == 1, let child = node.loadedChild(0) {
            root = NodeReference(child)
            node.discard()
            node = child
        }
    }
}
