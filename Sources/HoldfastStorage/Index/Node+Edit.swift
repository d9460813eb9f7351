extension Node {
    /// Inserts an entry of a leaf; the node may move.
    mutating func insert(_ key: BytesView, _ payload: BytesView, at index: Int) {
        openSlot(for: key, payload, at: index)
    }

    /// Inserts a child and the key that divides it from the one before; the node may move.
    mutating func insert(_ key: BytesView, _ child: Child, at index: Int) {
        openSlot(for: key, .empty, at: index)
        unsafe self.child(index).initialize(to: child)
    }

    private mutating func openSlot(for key: BytesView, _ payload: BytesView, at index: Int) {
        makeRoom(for: key, payload)
        let rest = key.dropFirst(prefixCount)
        let size = Entry.bytes(keyCount: rest.count, payloadCount: payload.count)
        unsafe (slots + index + 1).update(from: slots + index, count: count - index)
        unsafe header.pointee.count += 1
        let place = claim(heapBytes(forEntryOf: size))
        unsafe write(rest: rest, payload, at: end - (place - childBytes))
        unsafe slots[index] = Slot(head: rest.head, place: place)
    }

    /// Makes the key begin with the prefix and the entry fit; the node may move.
    private mutating func makeRoom(for key: BytesView, _ payload: BytesView) {
        let shared = key.commonPrefixCount(with: prefix)
        let size = Entry.bytes(keyCount: key.count - shared, payloadCount: payload.count)
        let needed = MemoryLayout<Slot>.stride + heapBytes(forEntryOf: size)
        guard shared < prefixCount || freeBytes < needed else { return }
        guard shared < prefixCount || hasGarbage else { return grow(by: needed) }
        // Repacking may find a longer prefix, which the new key has to share.
        let first = isLeaf ? 0 : 1
        let limit = first < count ? Key(key).commonPrefixCount(with: self.key(first)) : shared
        repack(prefixLimit: limit) { node, prefixCount in
            let rest = key.count - prefixCount
            let size = Entry.bytes(keyCount: rest, payloadCount: payload.count)
            return MemoryLayout<Slot>.stride + node.heapBytes(forEntryOf: size)
        }
    }

    /// Moves the node as it is into a larger block.
    private mutating func grow(by needed: Int) {
        let grown = copyOfBytes(spare: needed - freeBytes)
        discard()
        self = grown
    }

    private var hasGarbage: Bool { unsafe header.pointee.garbageBytes > 0 }

    /// Builds the node anew with as much room to spare as `spare` says for a prefix.
    private mutating func repack(
        prefixLimit: Int = .max,
        spare: (_ node: Node, _ prefixCount: Int) -> Int
    ) {
        let contents = NodeContents(self)
        let packing = contents.packing(0..<count, prefixLimit: prefixLimit)
        let repacked = contents.node(packing, spare: spare(self, packing.prefixCount))
        discard()
        self = repacked
    }

    /// Replaces a leaf entry's payload; the node may move.
    mutating func replacePayload(at index: Int, with payload: BytesView) {
        let old = entry(index)
        if old.largePayload == nil, payload.count == old.payloadCount,
            payload.count <= LargePayload.threshold
        {
            unsafe payload.copy(to: old.address + (old.keyOffset + old.keyCount))
            return
        }
        let whole = old.keyCount + prefixCount
        if freeBytes < Entry.bytes(keyCount: old.keyCount, payloadCount: payload.count) {
            repack { Entry.bytes(keyCount: whole - $1, payloadCount: payload.count) }
        }
        let moved = entry(index)
        let size = Entry.bytes(keyCount: moved.keyCount, payloadCount: payload.count)
        let place = claim(size)
        unsafe write(rest: moved.key, payload, at: end - place)
        unsafe header.pointee.garbageBytes += UInt32(moved.bytes)
        unsafe slots[index] = Slot(head: slots[index].head, place: place)
        moved.largePayload?.release()
    }

    /// Removes an entry, and gives up a large payload; a child's count is the caller's.
    func remove(at index: Int) {
        let old = entry(index)
        old.largePayload?.release()
        unsafe header.pointee.garbageBytes += UInt32(heapBytes(forEntryOf: old.bytes))
        unsafe (slots + index).update(from: slots + index + 1, count: count - index - 1)
        unsafe header.pointee.count -= 1
    }

    /// Takes the next bytes of the heap and returns their place.
    func claim(_ bytes: Int) -> Int {
        unsafe header.pointee.heapBytes += UInt32(bytes)
        return unsafe Int(header.pointee.heapBytes)
    }
}

extension Node {
    @unsafe
    func writeLengths(
        key: Int,
        payload: Int,
        payloadCode: UInt8,
        at address: UnsafeMutableRawPointer
    ) -> Int {
        let isLongKey = key >= Int(Entry.longKey)
        unsafe address.storeBytes(of: isLongKey ? Entry.longKey : UInt8(key), as: UInt8.self)
        unsafe address.storeBytes(of: payloadCode, toByteOffset: 1, as: UInt8.self)
        var offset = 2
        if isLongKey {
            unsafe address.storeBytes(of: UInt16(key), toByteOffset: offset, as: UInt16.self)
            offset += 2
        }
        if payloadCode == Entry.longPayload {
            unsafe address.storeBytes(of: UInt16(payload), toByteOffset: offset, as: UInt16.self)
            offset += 2
        }
        return offset
    }

    @unsafe
    func write(_ large: LargePayload, at address: UnsafeMutableRawPointer) -> Int {
        let bits = unsafe UInt(bitPattern: large.address)
        unsafe address.storeBytes(of: bits, as: UInt.self)
        return MemoryLayout<UInt>.size
    }

    @unsafe
    private func write(
        rest: BytesView,
        _ payload: BytesView,
        at address: UnsafeMutableRawPointer
    ) {
        guard payload.count <= LargePayload.threshold else {
            let large = LargePayload(copying: payload)
            let offset = unsafe writeLengths(
                key: rest.count,
                payload: 0,
                payloadCode: Entry.largePayload,
                at: address
            )
            let pointerBytes = unsafe write(large, at: address + offset)
            unsafe rest.copy(to: address + (offset + pointerBytes))
            unsafe header.pointee.holdsLargePayloads = true
            return
        }
        let code = UInt8(min(payload.count, Int(Entry.longPayload)))
        let offset = unsafe writeLengths(
            key: rest.count,
            payload: payload.count,
            payloadCode: code,
            at: address
        )
        unsafe rest.copy(to: address + offset)
        unsafe payload.copy(to: address + (offset + rest.count))
    }
}
