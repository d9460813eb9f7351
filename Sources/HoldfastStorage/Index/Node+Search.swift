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
        var low = lowerBound(of: head, from: first)
        guard low < count, unsafe slot(low).pointee.head == head else { return (low, false) }
        var high = head == .max ? count : lowerBound(of: head + 1, from: low)
        while low < high {
            let middle = (low + high) / 2
            let order = entry(middle).key.compare(to: rest)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// The first slot from `first` on whose head is not below `head`; without branches to mispredict.
    @inline(__always)
    private func lowerBound(of head: UInt32, from first: Int) -> Int {
        var low = first
        var length = count - first
        while length > 0 {
            let half = (length + 1) / 2
            let isBelow = unsafe slot(low + half - 1).pointee.head < head
            low = isBelow ? low + half : low
            length = isBelow ? length - half : half - 1
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
