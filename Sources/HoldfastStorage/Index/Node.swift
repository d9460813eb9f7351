import Synchronization

/// A node of a ``BTree``: one counted block of memory.
///
/// ```
/// header | prefix | slots ->            free            <- entries
/// ```
///
/// The slots are in key order; the entries stand where there was room, an inner node's behind their
/// children. The prefix is what all keys of the node begin with; an entry holds the rest of its
/// key.
///
/// An inner node's first key is not stored: everything below the second key is in the first child.
/// A node belongs to whoever holds one of its counts; only a node with a single count is changed.
@safe struct Node {
    struct Header: ~Copyable {
        let references = Atomic<Int>(1)
        let capacity: UInt32
        /// From the block's end down to the lowest entry.
        var heapBytes: UInt32
        /// How much of the heap belongs to entries that are gone.
        var garbageBytes: UInt32
        var count: UInt16
        let prefixCount: UInt16
        let level: UInt8
        var holdsLargePayloads: Bool
    }

    /// The first bytes of an entry's key, so that most searches stay in the slots, and below them
    /// how far before the block's end the entry is: one number, which orders as the keys do.
    struct Slot {
        let bits: UInt64

        @inline(__always)
        init(head: UInt32, place: Int) { bits = UInt64(head) << 32 | UInt64(place) }

        init(bits: UInt64) { self.bits = bits }

        @inline(__always) var head: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
        @inline(__always) var place: Int { Int(bits & 0xFFFF_FFFF) }
    }

    /// What stands before an inner node's entry.
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
        let capacity = Self.blockBytes(for: Self.slotsOffset(behind: prefixCount) + bytes)
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe header.initialize(
            to: Header(
                capacity: UInt32(capacity),
                heapBytes: 0,
                garbageBytes: 0,
                count: 0,
                prefixCount: UInt16(prefixCount),
                level: UInt8(level),
                holdsLargePayloads: false
            )
        )
        unsafe prefix.prefix(prefixCount).copy(to: base + Self.headerBytes)
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
    var prefix: BytesView {
        unsafe BytesView(start: base + Self.headerBytes, count: prefixCount)
    }

    @inline(__always)
    static func slotsOffset(behind prefixCount: Int) -> Int {
        headerBytes + (prefixCount + 7) / 8 * 8
    }

    /// From the block's start to behind the last slot.
    private var slotsEnd: Int {
        Self.slotsOffset(behind: prefixCount) + count * MemoryLayout<Slot>.stride
    }

    /// The bytes in use, without those of entries that are gone.
    var usedBytes: Int {
        unsafe slotsEnd + Int(header.pointee.heapBytes) - Int(header.pointee.garbageBytes)
    }

    var freeBytes: Int { unsafe capacity - slotsEnd - Int(header.pointee.heapBytes) }
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
            child: { $0.release() },
            largePayload: { $0.release() }
        )
        discard()
    }

    /// Frees the memory of a node whose entries were moved elsewhere.
    func discard() { unsafe base.deallocate() }

    /// A node of the same content that holds its own counts of what is below.
    func copy() -> Node {
        guard isLeaf else { return copyOfInnerNode() }
        let copy = copyOfBytes(spare: 0)
        forEachHeld(child: { _ in }, largePayload: { $0.retain() })
        return copy
    }

    /// Entry by entry, since another thread may load a child meanwhile: what the copy holds is what
    /// is counted.
    private func copyOfInnerNode() -> Node {
        let copy = emptyCopy(spare: 0)
        unsafe copy.slots.update(from: slots, count: count)
        for index in 0..<count {
            let child = unsafe child(index)
            let reference = unsafe NodeReference.load(at: UnsafeMutableRawPointer(child))
            reference.retain()
            unsafe copy.child(index).initialize(
                to: Child(reference: reference, count: child.pointee.count)
            )
            let entry = entry(index)
            let target = unsafe UnsafeMutableRawPointer(copy.child(index)) + childBytes
            unsafe target.copyMemory(from: entry.address, byteCount: entry.bytes)
        }
        return copy
    }

    /// The same bytes in a block with `spare` bytes more; only one of the two may go on as a node.
    func copyOfBytes(spare: Int) -> Node {
        let copy = emptyCopy(spare: spare)
        let heap = unsafe Int(header.pointee.heapBytes)
        unsafe copy.slots.update(from: slots, count: count)
        unsafe (copy.end - heap).copyMemory(from: end - heap, byteCount: heap)
        return copy
    }

    /// A block with the same numbers, and nothing yet where the slots and the entries go.
    private func emptyCopy(spare: Int) -> Node {
        let copy = Node(
            level: level,
            prefix: Key(prefix),
            prefixCount: prefixCount,
            room: capacity - Self.slotsOffset(behind: prefixCount) + spare
        )
        unsafe copy.header.pointee.count = header.pointee.count
        unsafe copy.header.pointee.heapBytes = header.pointee.heapBytes
        unsafe copy.header.pointee.garbageBytes = header.pointee.garbageBytes
        unsafe copy.header.pointee.holdsLargePayloads = header.pointee.holdsLargePayloads
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
