/// Where in a node the last insertion was: at an end, the next ones are likely to follow it.
enum InsertionEdge {
    case start
    case middle
    case end
}

extension Node {
    /// A leaf may have one entry; an inner node of one child is a detour.
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
    ) -> InsertionEdge {
        if let left = pairWithRoom(around: index, capacity) {
            rejoinChildren(at: left, capacity, isMerging: false)
            return .middle
        }
        splitAlone(at: index, capacity, edge)
        if index + 2 == count { return .end }
        return index == 0 ? .start : .middle
    }

    /// The left one of a child and a neighbour that has room, and is in memory: the insertion must
    /// not fail any more.
    private func pairWithRoom(around index: Int, _ capacity: NodeCapacity) -> Int? {
        if index > 0, loadedChild(index - 1)?.hasRoom(capacity) == true { return index - 1 }
        if index + 1 < count, loadedChild(index + 1)?.hasRoom(capacity) == true { return index }
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
    ///
    /// Where no neighbour is in memory the child stays small, since the removal must not fail any
    /// more; without an entry it goes.
    mutating func mergeChild(at index: Int, _ capacity: NodeCapacity) {
        let child = unsafe child(index).pointee.reference.loadedNode
        if child.count == 0 {
            child.discard()
            remove(at: index)
        } else if index > 0, loadedChild(index - 1) != nil {
            rejoinChildren(at: index - 1, capacity, isMerging: true)
        } else if index + 1 < count, loadedChild(index + 1) != nil {
            rejoinChildren(at: index, capacity, isMerging: true)
        }
    }

    /// Shares the entries of two neighbours in memory out anew.
    private mutating func rejoinChildren(
        at index: Int,
        _ capacity: NodeCapacity,
        isMerging: Bool
    ) {
        let left = unsafe child(index).pointee.reference.uniqueNode()
        let right = unsafe child(index + 1).pointee.reference.uniqueNode()
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
