extension BTree {
    /// Sets a key's payload.
    ///
    /// - Returns: Whether the key was there before.
    /// - Throws: ``StorageError``, `.invalidKey` for a key above ``keyBytes``,
    ///   `.checkpointDamaged`; nothing has changed.
    /// - Complexity: O(log n).
    @discardableResult
    package mutating func insert(
        _ payload: RawSpan,
        for key: RawSpan
    ) throws(StorageError) -> Bool {
        let key = BytesView(key)
        guard key.count <= Self.keyBytes else {
            throw StorageError(.invalidKey, "A key of an index is at most 65,535 bytes long.")
        }
        let owner = try makeUniqueOwner()
        let insertion = Insertion(key: key, payload: BytesView(payload), capacity: capacity)
        let outcome = try unsafe insertion.apply(to: &owner.root.pointee, in: owner)
        longestKey = max(longestKey, key.count)
        if !outcome.wasThere { count += 1 }
        unsafe growRoot(&owner.root.pointee, outcome.edge)
        return outcome.wasThere
    }

    /// The root's owner, which no other tree shares from now on, with its root in memory.
    mutating func makeUniqueOwner() throws(StorageError) -> Owner {
        if let owner { _ = try owner.rootNode(keyCount: count) }
        if !isKnownUniquelyReferenced(&owner) { owner = ownerOfSharedRoot() }
        return unsafe owner.unsafelyUnwrapped
    }

    private func ownerOfSharedRoot() -> Owner {
        guard let owner else {
            let leaf = Node(level: 0, prefix: Key(.empty), prefixCount: 0, room: 0)
            return Owner(NodeReference(leaf))
        }
        let root = unsafe NodeReference.load(at: UnsafeMutableRawPointer(owner.root))
        root.retain()
        return Owner(root, owner.pages)
    }

    private func growRoot(_ root: inout NodeReference, _ edge: InsertionEdge) {
        let node = root.loadedNode
        guard node.isOverfull(capacity) else { return }
        var parent = Node(level: node.level + 1, prefix: Key(.empty), prefixCount: 0, room: 0)
        parent.insert(.empty, Node.Child(node), at: 0)
        _ = parent.splitChild(at: 0, capacity, edge)
        root = NodeReference(parent)
    }
}

/// One insertion on its way down the tree and back.
///
/// All that has to be read is read on the way down, before anything is changed.
private struct Insertion {
    struct Outcome {
        var wasThere: Bool
        var edge: InsertionEdge
    }

    let key: BytesView
    let payload: BytesView
    let capacity: NodeCapacity

    /// Inserts below a reference to a node in memory, which may be overfull afterwards.
    func apply(
        to reference: inout NodeReference,
        in owner: BTree.Owner
    ) throws(StorageError) -> Outcome {
        var node = reference.uniqueNode()
        guard !node.isLeaf else { return applyToLeaf(node, &reference) }
        let index = node.childIndex(for: key)
        _ = try node.childNode(index, in: owner)
        let child = unsafe node.child(index)
        var outcome = try unsafe apply(to: &child.pointee.reference, in: owner)
        if !outcome.wasThere { unsafe child.pointee.count += 1 }
        if unsafe child.pointee.reference.loadedNode.isOverfull(capacity) {
            outcome.edge = node.splitChild(at: index, capacity, outcome.edge)
            reference = NodeReference(node)
        }
        return outcome
    }

    private func applyToLeaf(_ leaf: Node, _ reference: inout NodeReference) -> Outcome {
        var leaf = leaf
        let (index, isThere) = leaf.position(of: key, from: 0)
        if isThere {
            leaf.replacePayload(at: index, with: payload)
        } else {
            leaf.insert(key, payload, at: index)
        }
        reference = NodeReference(leaf)
        let edge: InsertionEdge =
            index + 1 == leaf.count ? .end : index == 0 ? .start : .middle
        return Outcome(wasThere: isThere, edge: edge)
    }
}
