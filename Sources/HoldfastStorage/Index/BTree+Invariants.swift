/// What is wrong with a tree's structure: a defect of the tree itself, never of what it was given.
package struct TreeDefect: Error, Hashable, CustomStringConvertible {
    package let description: String
}

extension BTree {
    /// Checks the order of the keys, the counts, the capacities and the shape of every node.
    ///
    /// It reads every node that is not in memory.
    ///
    /// - Throws: ``TreeDefect``, or ``StorageError`` for a node that cannot be read.
    /// - Complexity: O(n).
    package func checkInvariants() throws {
        guard let owner else {
            guard count == 0 else { throw TreeDefect(description: "an empty tree counts \(count)") }
            return
        }
        defer { withExtendedLifetime(owner) {} }
        let root = try owner.rootNode(keyCount: count)
        let check = InvariantCheck(capacity: capacity, longestKey: longestKey, owner: owner)
        let found = try check.visit(root, level: root.level, lower: [], upper: nil)
        try check.require(found == count, "the tree counts \(count) keys and holds \(found)")
        try check.require(count > 0, "an empty tree holds a root")
    }

    /// How full the leaves are on average, as a part of their capacity in entries.
    package func leafFill() throws(StorageError) -> Double {
        guard let owner else { return 0 }
        defer { withExtendedLifetime(owner) {} }
        let leaves = try owner.rootNode(keyCount: count).leafCount(in: owner)
        return Double(count) / Double(leaves * capacity.entries)
    }
}

extension Node {
    fileprivate func leafCount(in owner: BTree.Owner) throws(StorageError) -> Int {
        guard !isLeaf else { return 1 }
        var sum = 0
        for index in 0..<count {
            sum += try childNode(index, in: owner).leafCount(in: owner)
        }
        return sum
    }
}

private struct InvariantCheck {
    let capacity: NodeCapacity
    let longestKey: Int
    let owner: BTree.Owner

    func require(_ condition: Bool, _ failure: @autoclosure () -> String) throws {
        if !condition { throw TreeDefect(description: failure()) }
    }

    /// - Returns: The number of keys below the node.
    func visit(
        _ node: Node,
        level: Int,
        lower: [UInt8],
        upper: [UInt8]?
    ) throws -> Int {
        try require(node.level == level, "a node of level \(node.level) stands at \(level)")
        // A node whose neighbours were not in memory stays small.
        let least = owner.pages != nil ? 1 : node.minimumCount
        try require(node.count >= least, "a node holds \(node.count) entries")
        try require(node.count <= capacity.entries, "a node is overfull")
        let keys = try keys(of: node, lower: lower, upper: upper)
        try checkMemory(of: node)
        guard !node.isLeaf else { return node.count }
        for index in 0..<node.count {
            let count = unsafe node.child(index).pointee.count
            let found = try visit(
                node.childNode(index, in: owner),
                level: level - 1,
                lower: index == 0 ? lower : keys[index],
                upper: index + 1 < node.count ? keys[index + 1] : upper
            )
            try require(
                found == count,
                "a child of \(found) keys is counted as \(count)"
            )
        }
        return node.keyCount
    }

    private func keys(
        of node: Node,
        lower: [UInt8],
        upper: [UInt8]?
    ) throws -> [[UInt8]] {
        let keys = (0..<node.count).map { node.key($0).bytes }
        let first = node.isLeaf ? 0 : 1
        for index in first..<node.count {
            let key = keys[index]
            let precedes = index > first ? keys[index - 1] : lower
            let order = compare(precedes, key)
            let mayBeEqual = index == first && node.isLeaf
            try require(order < 0 || (mayBeEqual && order == 0), "the keys are out of order")
            try require(upper.map { compare(key, $0) < 0 } ?? true, "a key is out of bounds")
            try require(!node.isLeaf || key.count <= longestKey, "a key is longer than the longest")
            let head = unsafe node.slots[index].head
            try require(head == node.entry(index).key.head, "a slot's head is not its key's")
        }
        return keys
    }

    private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withRawSpan { left in right.withRawSpan { BytesView(left).compare(to: BytesView($0)) }
        }
    }

    private func checkMemory(of node: Node) throws {
        try require(node.freeBytes >= 0, "the slots and the entries of a node overlap")
        let entries = (0..<node.count).reduce(0) { sum, index in
            sum + node.heapBytes(forEntryOf: node.entry(index).bytes)
        }
        let heap = unsafe node.header.pointee.heapBytes - node.header.pointee.garbageBytes
        try require(entries == heap, "a node's garbage is miscounted")
    }
}
