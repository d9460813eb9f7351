/// An ordered map from bytes to bytes: a copy-on-write B+tree with the keys packed in its nodes.
///
/// Copying it is a snapshot, in O(1): the copies share every node until one of them changes it. A
/// node that no copy shares is changed in place. It may be read and copied from any thread.
///
/// Keys order as unsigned bytes, a prefix before its extensions. Every operation that reaches a
/// node throws, for the day when a node may have to be read from a checkpoint.
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
    /// are never changed, counts are atomic, and the root is replaced only by a tree that is the
    /// owner's only holder.
    @safe
    final class Owner: @unchecked Sendable {
        // Behind a pointer, since a class property costs an exclusivity check on each access.
        let root: UnsafeMutablePointer<NodeReference>

        init(_ node: Node) {
            unsafe root = .allocate(capacity: 1)
            unsafe root.initialize(to: NodeReference(node))
        }

        deinit {
            unsafe root.pointee.loadedNode.release()
            unsafe root.deallocate()
        }
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
        var node = try unsafe owner.root.pointee.node()
        while !node.isLeaf {
            node = try unsafe node.child(node.childIndex(for: key)).pointee.reference.node()
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
        var node = try unsafe owner.root.pointee.node()
        while !node.isLeaf {
            node = try unsafe node.child(index(node)).pointee.reference.node()
        }
        return node.key(index(node)).bytes
    }
}
