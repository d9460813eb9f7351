/// The entries of one node, or of two neighbours, as one sequence that new nodes are built from.
///
/// Building moves what the entries hold: the sources are then discarded, not released. Whoever
/// builds holds the sources alone.
struct NodeContents {
    private let left: Node
    private let right: Node?
    /// The parent's key between the two, which is the first key of an inner `right`.
    private let boundary: Key
    private let leftCount: Int
    let count: Int

    init(_ node: Node) {
        left = node
        right = nil
        boundary = Key(.empty)
        leftCount = node.count
        count = node.count
    }

    init(_ left: Node, _ right: Node, boundary: Key) {
        self.left = left
        self.right = right
        self.boundary = boundary
        leftCount = left.count
        count = left.count + right.count
    }

    private var isLeaf: Bool { left.isLeaf }

    private func source(_ index: Int) -> (node: Node, index: Int) {
        if let right, index >= leftCount { return (right, index - leftCount) }
        return (left, index)
    }

    private func key(_ index: Int) -> Key {
        if index == leftCount, !isLeaf { return boundary }
        let (node, index) = source(index)
        return node.key(index)
    }

    private func entry(_ index: Int) -> Entry {
        let (node, index) = source(index)
        return node.entry(index)
    }

    /// The shortest key that divides what is before `index` from what is not.
    func separator(at index: Int) -> [UInt8] {
        let next = key(index)
        guard isLeaf, index > 0 else { return next.bytes }
        return next.prefix(key(index - 1).commonPrefixCount(with: next) + 1).bytes
    }

    /// Where two nodes of about the same size divide, both sides holding `minimum` entries or more.
    func middle(leavingAtLeast minimum: Int, atMost maximum: Int) -> Int {
        var total = 0
        for index in 0..<count { total += weight(index) }
        var sum = 0
        var middle = 0
        while middle < count, sum * 2 < total {
            sum += weight(middle)
            middle += 1
        }
        let least = max(minimum, count - maximum)
        return max(least, min(middle, count - least))
    }

    private func weight(_ index: Int) -> Int {
        let key = key(index)
        return left.slotBytes + key.count + entry(index).bytes(withKeyCount: 0)
    }
}

extension NodeContents {
    /// How a range of the entries is packed: the shared prefix, and the bytes behind the header.
    struct Packing {
        let range: Range<Int>
        let prefixCount: Int
        let bytes: Int

        var usedBytes: Int { Node.headerBytes + prefixCount + bytes }
    }

    func packing(_ range: Range<Int>, prefixLimit: Int = .max) -> Packing {
        let prefixCount = min(sharedPrefixCount(range), prefixLimit)
        var bytes = range.count * left.slotBytes
        for index in range {
            let isUnkeyed = !isLeaf && index == range.lowerBound
            let keyCount = isUnkeyed ? 0 : key(index).count - prefixCount
            bytes += entry(index).bytes(withKeyCount: keyCount)
        }
        return Packing(range: range, prefixCount: prefixCount, bytes: bytes)
    }

    private func sharedPrefixCount(_ range: Range<Int>) -> Int {
        let first = range.lowerBound + (isLeaf ? 0 : 1)
        let last = range.upperBound - 1
        guard first <= last else { return 0 }
        // One key alone shares all of itself; what its neighbours shared is a better guess of what
        // the next ones will.
        guard first < last else { return key(first).prefix.count }
        return key(first).commonPrefixCount(with: key(last))
    }

    /// Builds a node of a range of the entries, with room for `spare` bytes more.
    func node(_ packing: Packing, spare: Int = 0) -> Node {
        let first = packing.range.lowerBound + (isLeaf ? 0 : 1)
        let hasKeys = first < packing.range.upperBound
        let node = Node(
            level: left.level,
            prefix: hasKeys ? key(first) : Key(.empty),
            prefixCount: packing.prefixCount,
            room: packing.bytes + spare
        )
        for index in packing.range {
            let isUnkeyed = !isLeaf && index == packing.range.lowerBound
            let (source, sourceIndex) = source(index)
            node.append(
                rest: isUnkeyed ? Key(.empty) : key(index).dropFirst(packing.prefixCount),
                movedFrom: source,
                at: sourceIndex
            )
        }
        return node
    }
}
