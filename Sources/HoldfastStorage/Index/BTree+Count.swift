extension BTree {
    /// The number of keys in a range.
    ///
    /// - Complexity: O(log n).
    package func count(in range: KeyRange) throws(StorageError) -> Int {
        let lower = try unsafe count(below: range.lower.span.bytes)
        guard let upper = range.upper else { return count - lower }
        return try unsafe max(0, count(below: upper.span.bytes) - lower)
    }

    /// The number of keys before a key.
    ///
    /// - Complexity: O(log n).
    package func count(below key: RawSpan) throws(StorageError) -> Int {
        guard let owner, !key.isEmpty else { return 0 }
        defer { withExtendedLifetime(owner) {} }
        let key = BytesView(key)
        var sum = 0
        var node = try owner.rootNode(keyCount: count)
        while !node.isLeaf {
            let index = node.childIndex(for: key)
            sum += node.keyCount(below: index)
            node = try node.childNode(index, in: owner)
        }
        return sum + node.lowerBound(of: key)
    }

    /// The bytes that the tree's nodes in memory take, those shared with snapshots included.
    ///
    /// - Complexity: O(nodes).
    package func memoryBytes() throws(StorageError) -> Int {
        guard let owner else { return 0 }
        defer { withExtendedLifetime(owner) {} }
        let root = unsafe NodeReference.load(at: UnsafeMutableRawPointer(owner.root))
        return root.isLoaded ? root.loadedNode.memoryBytes() : 0
    }
}

extension Node {
    fileprivate func memoryBytes() -> Int {
        var sum = capacity
        if !isLeaf {
            for index in 0..<count { sum += loadedChild(index)?.memoryBytes() ?? 0 }
        } else if unsafe header.pointee.holdsLargePayloads {
            for index in 0..<count { sum += entry(index).largePayload?.memoryBytes ?? 0 }
        }
        return sum
    }
}
