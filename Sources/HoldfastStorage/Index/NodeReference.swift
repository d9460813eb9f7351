import Synchronization

/// Where a child is: one word that holds one count of a node in memory, or says where a checkpoint
/// has the node's page (``PageWord``), which is read when it is first touched.
///
/// A reference that stands in a shared node changes in one way only, from a page to its node: it is
/// read with ``load(at:)`` wherever another thread may be the one who loads it.
@safe struct NodeReference: BitwiseCopyable {
    let word: UInt

    @inline(__always)
    private init(word: UInt) { self.word = word }

    @inline(__always)
    init(_ node: Node) { word = unsafe UInt(bitPattern: node.base) }

    init(_ page: PageWord) { word = UInt(truncatingIfNeeded: page.bits) }

    /// Whether the node is in memory.
    @inline(__always) var isLoaded: Bool { word & 1 == 0 }

    /// The page of a node that is not in memory.
    var page: PageWord? { isLoaded ? nil : PageWord(bits: UInt64(word)) }

    /// The node of a reference that is known to be in memory.
    @inline(__always)
    var loadedNode: Node {
        unsafe Node(base: UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped)
    }

    /// The node, which has to be in memory, for changing it: the one that is there when nobody else
    /// holds it, else a copy that takes its place.
    @inline(__always)
    mutating func uniqueNode() -> Node {
        let node = loadedNode
        if node.isUniquelyReferenced { return node }
        let copy = node.copy()
        self = NodeReference(copy)
        node.release()
        return copy
    }

    /// Takes one more count of a node in memory; a page has none.
    func retain() { if isLoaded { loadedNode.retain() } }

    /// Gives up a count of a node in memory.
    func release() { if isLoaded { loadedNode.release() } }
}

extension NodeReference {
    /// Reads a reference that another thread may be loading.
    @unsafe
    @inline(__always)
    static func load(at place: UnsafeMutableRawPointer) -> NodeReference {
        let word = unsafe place.assumingMemoryBound(to: Atomic<UInt>.self)
        return NodeReference(word: unsafe word.pointee.load(ordering: .acquiring))
    }

    /// Puts a node that was loaded in the place of its page, unless another thread was faster.
    ///
    /// - Returns: The node that stands there now.
    @unsafe
    static func resolve(
        _ page: NodeReference,
        at place: UnsafeMutableRawPointer,
        to node: Node
    ) -> Node {
        let word = unsafe place.assumingMemoryBound(to: Atomic<UInt>.self)
        let outcome = unsafe word.pointee.compareExchange(
            expected: page.word,
            desired: NodeReference(node).word,
            ordering: .acquiringAndReleasing
        )
        guard !outcome.exchanged else { return node }
        node.release()
        return NodeReference(word: outcome.original).loadedNode
    }
}
