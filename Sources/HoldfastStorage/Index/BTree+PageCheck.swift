extension BTree {
    /// Reads every node of a tree that stands in a checkpoint, and keeps none in memory.
    ///
    /// It tells `found` of each page that cannot be read, and does not visit what is below it.
    ///
    /// - Throws: What `found` throws, which ends the check.
    package func checkPages(_ found: (StorageError) throws -> Void) throws {
        guard let owner, let pages = owner.pages else { return }
        defer { withExtendedLifetime(owner) {} }
        let root = unsafe NodeReference.load(at: UnsafeMutableRawPointer(owner.root))
        guard let page = root.page else { return }
        try pages.check(page, level: nil, keyCount: count, found)
    }
}

extension TreePages {
    fileprivate func check(
        _ page: PageWord,
        level: Int?,
        keyCount: Int,
        _ found: (StorageError) throws -> Void
    ) throws {
        let node: Node
        do throws(StorageError) {
            node = try self.node(at: page, level: level, keyCount: keyCount)
        } catch {
            return try found(error)
        }
        defer { node.release() }
        guard !node.isLeaf else { return }
        for index in 0..<node.count {
            let child = unsafe node.child(index).pointee
            guard let page = child.reference.page else { continue }
            try check(page, level: node.level - 1, keyCount: child.count, found)
        }
    }
}
