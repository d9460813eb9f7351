/// Where in a node the last insertion was: at an end, the next ones are likely to follow it.
enum InsertionEdge {
    case start
    case middle
    case end
}

extension Node {
    /// A leaf may have one entry; an inner node of one child would be a detour.
    var minimumCount: Int { isLeaf ? 1 : 2 }

    func isOverfull(_ capacity: NodeCapacity) -> Bool {
        !capacity.fits(entries: count, bytes: usedBytes)
    }

    func isUnderfull(_ capacity: NodeCapacity) -> Bool {
        count < minimumCount || (count * 3 < capacity.entries && usedBytes * 3 < capacity.bytes)
    }

    private func hasRoom(_ capacity: NodeCapacity) -> Bool {
        count * 4 <= capacity.entries * 3 && usedBytes * 4 <= capacity.bytes * 3
    }

    /// Brings a child that has outgrown its capacity back to it; this node may move.
    ///
    /// A neighbour with room takes some of the entries: that keeps the nodes of a randomly filled
    /// tree four fifths full. Else the child is split, where the insertions seem to go on.
    ///
    /// - Returns: Where in this node a child was inserted.
    mutating func splitChild(
        at index: Int,
        _ capacity: NodeCapacity,
        _ edge: InsertionEdge
    ) throws(StorageError) -> InsertionEdge {
        if let left = try pairWithRoom(around: index, capacity) {
            try rejoinChildren(at: left, capacity, isMerging: false)
            return .middle
        }
        splitAlone(at: index, capacity, edge)
        if index + 2 == count { return .end }
        return index == 0 ? .start : .middle
    }

    /// The left one of a child and a neighbour that has room.
    private func pairWithRoom(
        around index: Int,
        _ capacity: NodeCapacity
    ) throws(StorageError) -> Int? {
        if index > 0, try unsafe child(index - 1).pointee.reference.node().hasRoom(capacity) {
            return index - 1
        }
        if index + 1 < count, try unsafe child(index + 1).pointee.reference.node().hasRoom(capacity)
        {
            return index
        }
        return nil
    }

    private mutating func splitAlone(
        at index: Int,
        _ capacity: NodeCapacity,
        _ edge: InsertionEdge
    ) {
        let child = unsafe child(index).pointee.reference.loadedNode
        let contents = NodeContents(child)
        let middle =
            switch edge {
            case .start: child.minimumCount
            case .middle: contents.middle(capacity)
            case .end: contents.count - child.minimumCount
            }
        let separator = contents.separator(at: middle)
        let left = contents.packing(0..<middle)
        let right = contents.packing(middle..<contents.count)
        // What fills up next gets its memory at once.
        let leftNode = contents.node(left, spare: edge == .start ? right.bytes : 0)
        let rightNode = contents.node(right, spare: edge == .end ? left.bytes : 0)
        child.discard()
        setChild(leftNode, at: index)
        separator.withRawSpan { insert(BytesView($0), Child(rightNode), at: index + 1) }
    }

    /// Merges a child that has become small into a neighbour, or takes entries from it; this node
    /// may move.
    mutating func mergeChild(
        at index: Int,
        _ capacity: NodeCapacity
    ) throws(StorageError) {
        guard count > 1 else { return }
        try rejoinChildren(at: max(index - 1, 0), capacity, isMerging: true)
    }

    /// Shares the entries of two neighbours out anew.
    private mutating func rejoinChildren(
        at index: Int,
        _ capacity: NodeCapacity,
        isMerging: Bool
    ) throws(StorageError) {
        let left = try unsafe child(index).pointee.reference.uniqueNode()
        let right = try unsafe child(index + 1).pointee.reference.uniqueNode()
        let contents = NodeContents(left, right, boundary: key(index + 1))
        if isMerging, let whole = contents.packing(asOneOf: capacity) {
            setChild(contents.node(whole), at: index)
            remove(at: index + 1)
        } else {
            share(contents, at: index, capacity)
        }
        left.discard()
        right.discard()
    }

    private mutating func share(_ contents: NodeContents, at index: Int, _ capacity: NodeCapacity) {
        let middle = contents.middle(capacity)
        let separator = contents.separator(at: middle)
        setChild(contents.node(contents.packing(0..<middle)), at: index)
        let right = contents.node(contents.packing(middle..<contents.count))
        remove(at: index + 1)
        separator.withRawSpan { insert(BytesView($0), Child(right), at: index + 1) }
    }

    private func setChild(_ node: Node, at index: Int) {
        unsafe child(index).initialize(to: Child(node))
    }
}

extension Node.Child {
    init(_ node: Node) {
        self.init(reference: NodeReference(node), count: node.keyCount)
    }
}
