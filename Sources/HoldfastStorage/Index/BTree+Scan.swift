extension BTree {
    /// Visits the keys of a range in order, with their payloads.
    ///
    /// - Parameters:
    ///   - range: The keys to visit.
    ///   - direction: The order to visit them in.
    ///   - visit: Called for each; `false` ends the scan. The spans are valid during the call.
    /// - Throws: ``StorageError`` for a node that cannot be read.
    /// - Complexity: O(log n + visited).
    package func forEach(
        in range: KeyRange = .all,
        _ direction: ScanDirection = .forward,
        _ visit: (_ key: RawSpan, _ payload: RawSpan) -> Bool
    ) throws(StorageError) {
        guard let owner else { return }
        defer { withExtendedLifetime((owner, range)) {} }
        let root = try owner.rootNode(keyCount: count)
        let key = UnsafeMutableRawPointer.allocate(byteCount: longestKey, alignment: 16)
        defer { unsafe key.deallocate() }
        let scan = unsafe Scan(
            lower: BytesView(unsafe range.lower.span.bytes),
            upper: range.upper.map { unsafe BytesView($0.span.bytes) },
            direction: direction,
            key: key,
            owner: owner
        )
        _ = try scan.visit(root, isLowerEdge: true, isUpperEdge: true, visit)
    }
}

/// One scan on its way through the tree; the edges are the nodes that its bounds run through.
@safe
private struct Scan {
    let lower: BytesView
    let upper: BytesView?
    let direction: ScanDirection
    /// Where a key's two parts are put together.
    let key: UnsafeMutableRawPointer
    let owner: BTree.Owner

    typealias Visitor = (RawSpan, RawSpan) -> Bool

    func visit(
        _ node: Node,
        isLowerEdge: Bool,
        isUpperEdge: Bool,
        _ visitor: Visitor
    ) throws(StorageError) -> Bool {
        let upper = isUpperEdge ? upper : nil
        if node.isLeaf {
            let first = isLowerEdge ? node.lowerBound(of: lower) : 0
            return visitLeaf(node, first, upper.map(node.lowerBound) ?? node.count, visitor)
        }
        let first = isLowerEdge ? node.childIndex(for: lower) : 0
        let last = upper.map(node.childIndex) ?? node.count - 1
        var remaining = last - first + 1
        var index = direction == .forward ? first : last
        while remaining > 0 {
            let isGoingOn = try visit(
                node.childNode(index, in: owner),
                isLowerEdge: isLowerEdge && index == first,
                isUpperEdge: isUpperEdge && index == last,
                visitor
            )
            guard isGoingOn else { return false }
            remaining -= 1
            index += direction == .forward ? 1 : -1
        }
        return true
    }

    private func visitLeaf(_ leaf: Node, _ first: Int, _ end: Int, _ visitor: Visitor) -> Bool {
        let prefix = leaf.prefix
        unsafe prefix.copy(to: key)
        let rest = unsafe key + prefix.count
        var remaining = end - first
        var index = direction == .forward ? first : end - 1
        while remaining > 0 {
            let entry = leaf.entry(index)
            unsafe entry.key.copy(to: rest)
            let whole = unsafe BytesView(start: key, count: prefix.count + entry.keyCount)
            let payload = entry.payload
            guard unsafe visitor(whole.buffer.bytes, payload.buffer.bytes) else { return false }
            remaining -= 1
            index += direction == .forward ? 1 : -1
        }
        return true
    }
}
