/// An ordered map from bytes to bytes: a copy-on-write B+tree with the keys packed in its nodes.
///
/// Copying it is a snapshot, in O(1): the copies share every node until one of them changes it. A
/// node that no copy shares is changed in place. It may be read and copied from any thread.
///
/// Keys order as unsigned bytes, a prefix before its extensions. Every operation that reaches a
/// node may throw `.checkpointDamaged`, since the node may have to be read from a checkpoint; it
/// has changed nothing then.
package struct BTree: Sendable {
    /// The longest key that a tree takes, in bytes.
    package static let keyBytes = Int(UInt16.max)

    /// The number of keys.
    package internal(set) var count = 0
    /// No key is longer; a scan needs so much room to put a key together.
    var longestKey = 0
    let capacity: NodeCapacity
    var owner: Owner?

    /// An empty tree.
    package init(capacity: NodeCapacity = .standard) {
        self.capacity = capacity
    }

    /// Holds the root's count for all copies of a tree that have not parted yet.
    ///
    /// Unchecked, because the compiler cannot see why it is safe: nodes with more than one count
    /// are never changed but for a child's page that becomes the child, counts and that step are
    /// atomic, and the root is replaced only by a tree that is the owner's only holder.
    @safe
    final class Owner: @unchecked Sendable {
        // Behind a pointer, since a class property costs an exclusivity check on each access.
        let root: UnsafeMutablePointer<NodeReference>
        /// Where the nodes are that are not in memory.
        let pages: TreePages?

        init(_ root: NodeReference, _ pages: TreePages? = nil) {
            unsafe self.root = .allocate(capacity: 1)
            unsafe self.root.initialize(to: root)
            self.pages = pages
        }

        deinit {
            unsafe root.pointee.release()
            unsafe root.deallocate()
        }
    }
}

extension BTree {
    /// A tree whose nodes are in a checkpoint.
    init(count: Int, root: PageWord?, pages: TreePages) {
        self.init(capacity: pages.capacity)
        guard let root else { return }
        self.count = count
        longestKey = pages.longestKey
        owner = Owner(NodeReference(root), pages)
    }

    /// Whether nodes may have to be read from a checkpoint.
    var hasPages: Bool { owner?.pages != nil }

    /// Reads from its checkpoint the nodes on the way to a key: inserting or removing the key, also
    /// behind other changes, cannot fail from then on.
    func load(_ key: [UInt8]) throws(StorageError) {
        guard hasPages else { return }
        _ = try key.withRawSpan { (key) throws(StorageError) in try contains(key) }
    }
}

extension BTree.Owner {
    @inline(__always)
    func rootNode(keyCount: Int) throws(StorageError) -> Node {
        let place = unsafe UnsafeMutableRawPointer(root)
        let reference = unsafe NodeReference.load(at: place)
        if reference.isLoaded { return reference.loadedNode }
        return try unsafe load(reference, at: place, level: nil, keyCount: keyCount)
    }

    /// Reads a node from its page and puts it where its reference stands.
    @unsafe
    @inline(never)
    func load(
        _ reference: NodeReference,
        at place: UnsafeMutableRawPointer,
        level: Int?,
        keyCount: Int
    ) throws(StorageError) -> Node {
        guard let pages, let page = reference.page else { throw .missingPages }
        let node = try pages.node(at: page, level: level, keyCount: keyCount)
        return unsafe NodeReference.resolve(reference, at: place, to: node)
    }
}

extension Node {
    /// The child before an inner node's entry, read from its page if it is not in memory.
    @inline(__always)
    func childNode(_ index: Int, in owner: BTree.Owner) throws(StorageError) -> Node {
        let child = unsafe child(index)
        let place = UnsafeMutableRawPointer(child)
        let reference = unsafe NodeReference.load(at: place)
        if reference.isLoaded { return reference.loadedNode }
        let keyCount = unsafe child.pointee.count
        return try unsafe owner.load(reference, at: place, level: level - 1, keyCount: keyCount)
    }

    /// The same, if it is in memory.
    func loadedChild(_ index: Int) -> Node? {
        let reference = unsafe NodeReference.load(at: UnsafeMutableRawPointer(child(index)))
        return reference.isLoaded ? reference.loadedNode : nil
    }
}

extension BTree {
    /// Calls `body` with a key's payload, which is valid during the call.
    ///
    /// - Returns: What `body` returned; `nil` where the key is not there.
    /// - Complexity: O(log n).
    package func withPayload<Result>(
        for key: RawSpan,
        _ body: (RawSpan) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        guard let owner else { return nil }
        defer { withExtendedLifetime(owner) {} }
        let key = BytesView(key)
        var node = try owner.rootNode(keyCount: count)
        while !node.isLeaf {
            node = try node.childNode(node.childIndex(for: key), in: owner)
        }
        let (index, isThere) = node.position(of: key, from: 0)
        guard isThere else { return nil }
        let payload = node.entry(index).payload
        return try unsafe body(payload.buffer.bytes)
    }

    /// Whether a key is there.
    package func contains(_ key: RawSpan) throws(StorageError) -> Bool {
        try withPayload(for: key) { _ in true } ?? false
    }

    /// The least key.
    package func firstKey() throws(StorageError) -> [UInt8]? {
        try edgeKey { _ in 0 }
    }

    /// The greatest key.
    package func lastKey() throws(StorageError) -> [UInt8]? {
        try edgeKey { $0.count - 1 }
    }

    private func edgeKey(_ index: (Node) -> Int) throws(StorageError) -> [UInt8]? {
        guard let owner else { return nil }
        defer { withExtendedLifetime(owner) {} }
        var node = try owner.rootNode(keyCount: count)
        while !node.isLeaf { node = try node.childNode(index(node), in: owner) }
        return node.key(index(node)).bytes
    }
}
