extension Node {
    /// Where a key is, or where it belongs, among the keys from `first` on.
    @inline(__always)
    func position(of key: BytesView, from first: Int) -> (index: Int, isThere: Bool) {
        let prefix = prefix
        let order = key.compareShared(with: prefix)
        if order > 0 { return (count, false) }
        if order < 0 || key.count < prefix.count { return (first, false) }
        return position(ofRest: key.dropFirst(prefix.count), from: first)
    }

    @inline(__always)
    private func position(ofRest rest: BytesView, from first: Int) -> (index: Int, isThere: Bool) {
        let head = rest.head
        let low = lowerBound(of: head, from: first)
        guard low < count, unsafe slots[low].head == head else { return (low, false) }
        let order = entry(low).key.compare(to: rest)
        if order >= 0 { return (low, order == 0) }
        return position(ofRest: rest, amongEqualHeadsFrom: low + 1)
    }

    private func position(
        ofRest rest: BytesView,
        amongEqualHeadsFrom first: Int
    ) -> (index: Int, isThere: Bool) {
        let head = rest.head
        var low = first
        var high = head == .max ? count : lowerBound(of: head + 1, from: low)
        while low < high {
            let middle = (low + high) / 2
            let order = entry(middle).key.compare(to: rest)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The first slot from `first` on whose head is not below `head`.
    ///
    /// It reads one slot of each cache line and then those of one line: unlike a binary search's,
    /// these reads do not wait for each other, and no branch depends on them.
    @inline(__always)
    private func lowerBound(of head: UInt32, from first: Int) -> Int {
        let slots = unsafe slots
        let count = count
        let bound = Slot(head: head, place: 0).bits
        var line = first
        var probe = first + 7
        while probe < count {
            line = unsafe slots[probe].bits < bound ? probe + 1 : line
            probe += 8
        }
        var low = line
        var index = line
        let end = min(line + 7, count)
        while index < end {
            low += unsafe slots[index].bits < bound ? 1 : 0
            index += 1
        }
        return low
    }

    /// The child of an inner node that a key belongs to.
    @inline(__always)
    func childIndex(for key: BytesView) -> Int {
        let (index, isThere) = position(of: key, from: 1)
        return isThere ? index : index - 1
    }

    /// The number of entries of a leaf that are below a key.
    @inline(__always)
    func lowerBound(of key: BytesView) -> Int { position(of: key, from: 0).index }
}
