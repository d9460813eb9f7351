import Synchronization

/// A node of a ``BTree``: one counted block of memory.
///
/// ```
/// header | slots ->            free            <- entries | prefix
/// ```
///
/// The slots are in key order; the entries stand where there was room. The prefix is what all keys
/// of the node begin with; an entry holds the rest of its key. Places are counted from the block's
/// end, so that a node can move into a larger block as it is.
///
/// An inner node's first key is not stored: everything below the second key is in the first child.
/// A node belongs to whoever holds one of its counts; only a node with a single count is changed.
@safe struct Node {
    struct Header: ~Copyable {
        let references = Atomic<Int>(1)
        let capacity: UInt32
        /// From the block's end down to the lowest entry, the prefix included.
        var heapBytes: UInt32
        /// How much of the heap belongs to entries that are gone.
        var garbageBytes: UInt32
        var count: UInt16
        let prefixCount: UInt16
        let level: UInt8
        var holdsLargePayloads: Bool
    }

    /// Where a leaf's entry is, with the first bytes of its key so that most searches stay in the
    /// slots.
    struct Slot {
        var head: UInt32
        var place: UInt32
    }

    /// What follows the slot in an inner node.
    struct Child {
        var reference: NodeReference
        /// The number of keys below.
        var count: Int
    }

    static var headerBytes: Int { MemoryLayout<Header>.stride }

    let base: UnsafeMutableRawPointer

    @inline(__always)
    init(base: UnsafeMutableRawPointer) { unsafe self.base = unsafe base }

    /// An empty node with room for `bytes` behind its header.
    init(level: Int, prefix: Key, prefixCount: Int, room bytes: Int) {
        let capacity = Self.blockBytes(for: Self.headerBytes + prefixCount + bytes)
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe header.initialize(
            to: Header(
                capacity: UInt32(capacity),
                heapBytes: UInt32(prefixCount),
                garbageBytes: 0,
                count: 0,
                prefixCount: UInt16(prefixCount),
                level: UInt8(level),
                holdsLargePayloads: false
            )
        )
        unsafe prefix.prefix(prefixCount).copy(to: base + (capacity - prefixCount))
    }

    /// The block to ask for: what the allocator hands out for it is used to the last byte.
    ///
    /// One step is a multiple of the size classes of the common allocators, so that a freed block
    /// fits the next node; glibc keeps 8 bytes of each block for itself.
    private static func blockBytes(for needed: Int) -> Int {
        let step = needed <= 1_016 ? 128 : 512
        return (needed + 8 + step - 1) / step * step - 8
    }

    @inline(__always)
    var header: UnsafeMutablePointer<Header> {
        unsafe base.assumingMemoryBound(to: Header.self)
    }

    @inline(__always) var count: Int { unsafe Int(header.pointee.count) }
    @inline(__always) var level: Int { unsafe Int(header.pointee.level) }
    @inline(__always) var isLeaf: Bool { unsafe header.pointee.level == 0 }
    @inline(__always) var capacity: Int { unsafe Int(header.pointee.capacity) }
    @inline(__always) var prefixCount: Int { unsafe Int(header.pointee.prefixCount) }
    @inline(__always) var end: UnsafeMutableRawPointer { unsafe base + capacity }

    @inline(__always)
    var slotBytes: Int {
        isLeaf
            ? MemoryLayout<Slot>.stride
            : MemoryLayout<Slot>.stride + MemoryLayout<Child>.stride
    }

    @inline(__always)
    var prefix: BytesView {
        let count = prefixCount
        return unsafe BytesView(start: end - count, count: count)
    }

    /// The bytes in use, without those of entries that are gone.
    var usedBytes: Int {
        unsafe Self.headerBytes + count * slotBytes + Int(header.pointee.heapBytes)
            - Int(header.pointee.garbageBytes)
    }

    var freeBytes: Int {
        unsafe capacity - Self.headerBytes - count * slotBytes - Int(header.pointee.heapBytes)
    }
}

extension Node {
    @inline(__always)
    var isUniquelyReferenced: Bool {
        unsafe header.pointee.references.load(ordering: .acquiring) == 1
    }

    @inline(__always)
    func retain() { unsafe header.pointee.references.add(1, ordering: .relaxed) }

    /// Gives one count up; with the last one the node goes, and its counts of what is below.
    ///
    /// It recurses as deep as the tree is high.
    func release() {
        let left = unsafe header.pointee.references.subtract(1, ordering: .acquiringAndReleasing)
        guard left.newValue == 0 else { return }
        forEachHeld(
            child: { $0.loadedNode.release() },
            largePayload: { $0.release() }
        )
        discard()
    }

    /// Frees the memory of a node whose entries were moved elsewhere.
    func discard() { unsafe base.deallocate() }

    /// A node of the same content that holds its own counts of what is below.
    func copy() -> Node {
        let copy = unsafe Node(
            base: UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        )
        unsafe copy.header.initialize(
            to: Header(
                capacity: header.pointee.capacity,
                heapBytes: header.pointee.heapBytes,
                garbageBytes: header.pointee.garbageBytes,
                count: header.pointee.count,
                prefixCount: header.pointee.prefixCount,
                level: header.pointee.level,
                holdsLargePayloads: header.pointee.holdsLargePayloads
            )
        )
        let slots = count * slotBytes
        let heap = unsafe Int(header.pointee.heapBytes)
        unsafe (copy.base + Self.headerBytes).copyMemory(
            from: base + Self.headerBytes,
            byteCount: slots
        )
        unsafe (copy.end - heap).copyMemory(from: end - heap, byteCount: heap)
        forEachHeld(
            child: { $0.loadedNode.retain() },
            largePayload: { $0.retain() }
        )
        return copy
    }

    private func forEachHeld(
        child: (NodeReference) -> Void,
        largePayload: (LargePayload) -> Void
    ) {
        if !isLeaf {
            for index in 0..<count { unsafe child(self.child(index).pointee.reference) }
        } else if unsafe header.pointee.holdsLargePayloads {
            for index in 0..<count {
                if let payload = entry(index).largePayload { largePayload(payload) }
            }
        }
    }
}
