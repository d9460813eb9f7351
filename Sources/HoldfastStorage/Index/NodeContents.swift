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

    /// Where the entries divide into two nodes of about the same size.
    func middle(_ capacity: NodeCapacity) -> Int {
        let least = max(left.minimumCount, count - capacity.entries)
        // Whatever the sizes of the entries are, both halves fit.
        let areSmall = left.usedBytes + (right?.usedBytes ?? 0) <= capacity.bytes
        return max(least, min(areSmall ? count / 2 : middleByBytes, count - least))
    }

    private var middleByBytes: Int {
        let weights = (0..<count).map { index in
            key(index).count + entry(index).bytes(withKeyCount: 0)
        }
        let half = weights.reduce(0, +) / 2
        var sum = 0
        return weights.firstIndex { weight in
            sum += weight
            return sum > half
        } ?? count / 2
    }
}

extension NodeContents {
    /// How a range of the entries is packed: the shared prefix, and the bytes behind it.
    struct Packing {
        let range: Range<Int>
        let prefixCount: Int
        let bytes: Int

        var usedBytes: Int { Node.slotsOffset(behind: prefixCount) + bytes }
    }

    /// A range by its sources, without an inner node's first child, which stands without a key.
    ///
    /// Entries of the left node, then perhaps the right node's first child under the parent's key,
    /// then entries of the right node.
    private struct Parts {
        let left: Range<Int>
        let holdsBoundary: Bool
        let right: Range<Int>
    }

    private func parts(of range: Range<Int>) -> Parts {
        let keyed = range.dropFirst(isLeaf ? 0 : 1)
        let rightStart = isLeaf ? leftCount : leftCount + 1
        let right = keyed.clamped(to: rightStart..<max(count, rightStart))
        return Parts(
            left: keyed.clamped(to: 0..<leftCount),
            holdsBoundary: !isLeaf && keyed.contains(leftCount),
            right: (right.lowerBound - leftCount)..<(right.upperBound - leftCount)
        )
    }

    func packing(_ range: Range<Int>, prefixLimit: Int = .max) -> Packing {
        let prefixCount = min(sharedPrefixCount(range), prefixLimit)
        var bytes = range.count * MemoryLayout<Node.Slot>.stride
        let parts = parts(of: range)
        bytes += left.heapBytes(of: parts.left, withPrefixCount: prefixCount)
        if let right { bytes += right.heapBytes(of: parts.right, withPrefixCount: prefixCount) }
        if parts.holdsBoundary { bytes += heapBytes(keyCount: boundary.count - prefixCount) }
        if !isLeaf { bytes += heapBytes(keyCount: 0) }
        return Packing(range: range, prefixCount: prefixCount, bytes: bytes)
    }

    /// How all entries are packed into one node, if it can hold them.
    func packing(asOneOf capacity: NodeCapacity) -> Packing? {
        guard count <= capacity.entries else { return nil }
        let whole = packing(0..<count)
        return capacity.fits(entries: count, bytes: whole.usedBytes) ? whole : nil
    }

    private func heapBytes(keyCount: Int) -> Int {
        left.heapBytes(forEntryOf: Entry.bytes(keyCount: keyCount, payloadCount: 0))
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
        let range = packing.range
        let first = range.lowerBound + (isLeaf ? 0 : 1)
        let node = Node(
            level: left.level,
            prefix: first < range.upperBound ? key(first) : Key(.empty),
            prefixCount: packing.prefixCount,
            room: packing.bytes + spare
        )
        if !isLeaf { move(Key(.empty), at: range.lowerBound, to: node) }
        let parts = parts(of: range)
        node.append(entriesOf: left, parts.left)
        if parts.holdsBoundary {
            move(boundary.dropFirst(packing.prefixCount), at: leftCount, to: node)
        }
        if let right { node.append(entriesOf: right, parts.right) }
        return node
    }

    private func move(_ rest: Key, at index: Int, to node: Node) {
        let (source, index) = source(index)
        node.append(rest: rest, unsafe source.child(index).pointee)
    }
}
