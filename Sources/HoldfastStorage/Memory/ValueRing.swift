/// Values by their place in the journal, in a ring of memory that never grows.
///
/// The oldest value goes first, unless it was asked for since it came: then it gets another turn. A
/// value that was read is only taken when it was read before, a short while ago: what a scan reads
/// once pushes nothing out.
@safe
struct ValueRing: ~Copyable {
    /// How often values were asked for, and how often they were there.
    struct Counts: Hashable, Sendable {
        var hits: UInt64 = 0
        var misses: UInt64 = 0
    }

    /// What stands before a value.
    private struct Item {
        let place: UInt64
        let number: UInt64
        let count: UInt32
        var turns: UInt32

        static var byteCount: Int { MemoryLayout<Item>.stride }

        var byteCount: Int { (Self.byteCount + Int(count) + 7) & ~7 }
    }

    private static let mostTurns: UInt32 = 3
    /// How many values are spared, at most, to take one: an insertion does bounded work.
    private static let mostSpared = 32

    private let capacity: Int
    private let mask: Int
    /// The memory: the two tables, then the ring; `nil` until something is asked for again.
    private var memory: UnsafeMutableRawPointer?
    private var head = 0
    private var tail = 0
    /// Where the items that come before the ring's start end, while the head is behind the tail.
    private var wrap: Int?
    private(set) var itemCount = 0
    private(set) var counts = Counts()

    /// A ring that takes `bytes` of memory, its tables included.
    init(bytes: Int) {
        let bytes = max(bytes, 1 << 12)
        var slotCount = 32
        while slotCount * 128 < bytes { slotCount *= 2 }
        mask = slotCount - 1
        capacity = min(max(bytes - Self.tableBytes(slotCount), 1 << 10), 1 << 34) & ~7
    }

    deinit { unsafe memory?.deallocate() }

    /// The bytes of memory that it holds at most, and holds once it is full.
    var memoryBytes: Int { tableBytes + capacity }

    private var tableBytes: Int { Self.tableBytes(mask + 1) }

    private static func tableBytes(_ slotCount: Int) -> Int {
        slotCount * (MemoryLayout<UInt32>.size + MemoryLayout<UInt16>.size)
    }

    /// Where in the ring a value's item is, in units of eight bytes and one more; 0 for none.
    @unsafe
    @inline(__always)
    private var slots: UnsafeMutablePointer<UInt32>? {
        unsafe memory?.assumingMemoryBound(to: UInt32.self)
    }

    /// What was asked for lately: a part of the hash at a place that the rest of it gives.
    @unsafe
    private var asked: UnsafeMutablePointer<UInt16>? {
        unsafe memory.map {
            unsafe ($0 + (mask + 1) * MemoryLayout<UInt32>.size)
                .assumingMemoryBound(to: UInt16.self)
        }
    }

    @unsafe
    @inline(__always)
    private var ring: UnsafeMutableRawPointer? { unsafe memory.map { unsafe $0 + tableBytes } }

    private mutating func takeMemory() {
        guard unsafe memory == nil else { return }
        let new = UnsafeMutableRawPointer.allocate(byteCount: memoryBytes, alignment: 16)
        unsafe new.initializeMemory(as: UInt8.self, repeating: 0, count: tableBytes)
        unsafe memory = new
    }

    /// The longest value that is taken: one must not push out too many others.
    var valueLimit: Int { capacity / 8 - Item.byteCount }

    /// Calls `body` with the value of a location, if it is here.
    @inline(__always)
    mutating func withValue<Result>(
        at location: EntryLocation,
        _ body: (BytesView) -> Result
    ) -> Result? {
        guard let ring = unsafe ring, let slot = slot(of: location.place) else {
            counts.misses += 1
            return nil
        }
        let item = unsafe ring + offset(slot)
        let pointer = unsafe item.assumingMemoryBound(to: Item.self)
        guard unsafe pointer.pointee.number == location.number.rawValue else {
            counts.misses += 1
            return nil
        }
        counts.hits += 1
        unsafe pointer.pointee.turns = min(pointer.pointee.turns + 1, Self.mostTurns)
        return unsafe body(
            BytesView(start: item + Item.byteCount, count: Int(pointer.pointee.count))
        )
    }

    /// Copies the value of a location, if it is here and there is room for it.
    ///
    /// - Returns: Its length.
    @unsafe
    mutating func copyValue(
        at location: EntryLocation,
        toAddress address: UInt,
        room: Int
    ) -> Int? {
        let count = withValue(at: location) { value -> Int? in
            guard value.count <= room,
                let target = unsafe UnsafeMutableRawPointer(bitPattern: address)
            else { return nil }
            unsafe value.copy(to: target)
            return value.count
        }
        return count ?? nil
    }

    /// Says that a value was read from the disk, and whether it is one to keep.
    mutating func isWanted(_ location: EntryLocation) -> Bool {
        takeMemory()
        guard let asked = unsafe asked else { return false }
        let hash = Self.hash(location.place)
        let index = Int(truncatingIfNeeded: hash) & mask
        let mark = UInt16(truncatingIfNeeded: hash >> 48) | 1
        let isWanted = unsafe asked[index] == mark
        unsafe asked[index] = mark
        return isWanted
    }

    /// Takes a value, unless it is too long.
    mutating func insert(_ value: BytesView, at location: EntryLocation) {
        guard value.count <= valueLimit, slot(of: location.place) == nil else { return }
        let item = Item(
            place: location.place,
            number: location.number.rawValue,
            count: UInt32(value.count),
            turns: 0
        )
        takeMemory()
        makeRoom(item.byteCount)
        guard let ring = unsafe ring else { return }
        let target = unsafe ring + head
        unsafe target.storeBytes(of: item, as: Item.self)
        unsafe value.copy(to: target + Item.byteCount)
        addSlot(of: item.place, at: head)
        head += item.byteCount
        itemCount += 1
    }

    /// Forgets every value.
    mutating func removeAll() {
        unsafe memory?.initializeMemory(as: UInt8.self, repeating: 0, count: tableBytes)
        head = 0
        tail = 0
        wrap = nil
        itemCount = 0
    }
}

extension ValueRing {
    /// Makes `bytes` free behind the head.
    private mutating func makeRoom(_ bytes: Int) {
        var spared = 0
        while itemCount >= (mask + 1) * 3 / 4 { removeOldest(&spared) }
        while true {
            if itemCount == 0 { (head, tail, wrap) = (0, 0, nil) }
            if wrap == nil {
                if capacity - head >= bytes { return }
                wrap = head
                head = 0
            }
            if tail - head >= bytes { return }
            removeOldest(&spared)
        }
    }

    /// Takes the oldest item away, or puts it behind the newest when it has a turn left.
    private mutating func removeOldest(_ spared: inout Int) {
        guard let ring = unsafe ring else { return }
        let place = tail
        var item = unsafe (ring + place).load(as: Item.self)
        tail += item.byteCount
        if tail == wrap { (tail, wrap) = (0, nil) }
        let room = (wrap == nil ? capacity : tail) - head
        guard item.turns > 0, spared < Self.mostSpared, room >= item.byteCount else {
            removeSlot(of: item.place)
            itemCount -= 1
            return
        }
        spared += 1
        item.turns -= 1
        // It may overlap where it was: the two are one free run.
        unsafe (ring + head).copyMemory(from: ring + place, byteCount: item.byteCount)
        unsafe (ring + head).storeBytes(of: item, as: Item.self)
        if let slot = slot(of: item.place, standingAt: place) {
            setSlot(slot, Self.code(head))
        }
        head += item.byteCount
    }
}

// Open addressing with linear probing; a removal moves what follows back, so that no grave is left.
extension ValueRing {
    @inline(__always)
    private static func hash(_ place: UInt64) -> UInt64 {
        let mixed = (place ^ place >> 29) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 32
    }

    @inline(__always)
    private func slot(_ index: Int) -> UInt32 { unsafe slots?[index] ?? 0 }

    @inline(__always)
    private func setSlot(_ index: Int, _ code: UInt32) { unsafe slots?[index] = code }

    private static func code(_ offset: Int) -> UInt32 { UInt32(offset >> 3) + 1 }

    @inline(__always)
    private func offset(_ slot: Int) -> Int { (Int(self.slot(slot)) - 1) << 3 }

    @inline(__always)
    private func home(of place: UInt64) -> Int {
        Int(truncatingIfNeeded: Self.hash(place)) & mask
    }

    @inline(__always)
    private func place(at offset: Int) -> UInt64 {
        guard let ring = unsafe ring else { return 0 }
        return unsafe (ring + offset).assumingMemoryBound(to: Item.self).pointee.place
    }

    @inline(__always)
    private func slot(of place: UInt64) -> Int? {
        var slot = home(of: place)
        while self.slot(slot) != 0 {
            if self.place(at: offset(slot)) == place { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// The slot of an item that was moved away from `offset`, whose bytes may be written over.
    private func slot(of place: UInt64, standingAt offset: Int) -> Int? {
        var slot = home(of: place)
        while self.slot(slot) != 0 {
            if self.slot(slot) == Self.code(offset) { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func addSlot(of place: UInt64, at offset: Int) {
        var slot = home(of: place)
        while self.slot(slot) != 0 { slot = (slot + 1) & mask }
        setSlot(slot, Self.code(offset))
    }

    private mutating func removeSlot(of place: UInt64) {
        guard var hole = slot(of: place) else { return }
        var next = (hole + 1) & mask
        while slot(next) != 0 {
            let home = home(of: self.place(at: offset(next)))
            // It may go back as far as its home, which must not lie behind the hole.
            if (next - home) & mask >= (next - hole) & mask {
                setSlot(hole, slot(next))
                hole = next
            }
            next = (next + 1) & mask
        }
        setSlot(hole, 0)
    }
}

extension EntryLocation {
    /// Segment and offset as one number.
    @inline(__always)
    var place: UInt64 { UInt64(segment) << 32 | UInt64(offset) }
}
