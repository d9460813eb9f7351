extension Node {
    /// Appends entries that another node gives up; their keys begin with this node's prefix.
    func append(entriesOf source: Node, _ range: Range<Int>) {
        let prefix = source.prefix
        let shared = min(prefix.count, prefixCount)
        let prepended = prefix.dropFirst(shared)
        let dropped = prefixCount - shared
        for index in range {
            let entry = source.entry(index)
            append(entry, prepending: prepended, dropping: dropped)
            if !isLeaf { unsafe child(count - 1).initialize(to: source.child(index).pointee) }
        }
        if unsafe source.header.pointee.holdsLargePayloads {
            unsafe header.pointee.holdsLargePayloads = true
        }
    }

    /// Appends a child under a key that no node holds as it is.
    func append(rest: Key, _ child: Child) {
        let size = heapBytes(forEntryOf: Entry.bytes(keyCount: rest.count, payloadCount: 0))
        let place = claim(size)
        let target = unsafe end - (place - childBytes)
        let offset = unsafe writeLengths(key: rest.count, payload: 0, payloadCode: 0, at: target)
        unsafe rest.copy(to: target + offset)
        appendSlot(place)
        unsafe self.child(count - 1).initialize(to: child)
    }

    @inline(__always)
    private func append(_ entry: Entry, prepending: BytesView, dropping: Int) {
        let keyCount = prepending.count + entry.keyCount - dropping
        let place = claim(heapBytes(forEntryOf: entry.bytes(withKeyCount: keyCount)))
        let target = unsafe end - (place - childBytes)
        var offset = unsafe writeLengths(
            key: keyCount,
            payload: entry.payloadCount,
            payloadCode: entry.payloadCode,
            at: target
        )
        if let large = entry.largePayload {
            offset += unsafe write(large, at: target + offset)
        }
        unsafe prepending.copy(to: target + offset)
        offset += prepending.count
        let rest = entry.keyAndPayload.dropFirst(dropping)
        unsafe rest.copy(to: target + offset)
        appendSlot(place)
    }

    @inline(__always)
    private func appendSlot(_ place: Int) {
        let index = count
        unsafe header.pointee.count += 1
        let head = unsafe Entry(at: end - (place - childBytes)).key.head
        unsafe slots[index] = Slot(head: head, place: place)
    }

    /// What entries take of the heap when they are in a node of another prefix.
    func heapBytes(of range: Range<Int>, withPrefixCount prefixCount: Int) -> Int {
        let longer = self.prefixCount - prefixCount
        var sum = 0
        for index in range {
            let entry = entry(index)
            sum += heapBytes(forEntryOf: entry.bytes(withKeyCount: entry.keyCount + longer))
        }
        return sum
    }
}
