import HoldfastStorage

extension KeyRange {
    var isEmpty: Bool {
        guard let upper else { return false }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// Leaves out what comes before `bound`; everything when there is no such key.
    mutating func raise(to bound: [UInt8]?) {
        guard let bound else {
            upper = lower
            return
        }
        if lower.lexicographicallyPrecedes(bound) { lower = bound }
    }

    /// Leaves out `bound` and what comes after it; nothing when it stands for the end.
    mutating func sink(to bound: [UInt8]?) {
        guard let bound else { return }
        if let upper, !bound.lexicographicallyPrecedes(upper) { return }
        upper = bound
    }

    /// Whether the range ends at `key` or behind it.
    func reaches(_ key: [UInt8]) -> Bool {
        upper.map { !$0.lexicographicallyPrecedes(key) } ?? true
    }

    /// Takes in what comes before `bound`; everything when it stands for the end.
    mutating func extend(to bound: [UInt8]?) {
        guard let bound else {
            upper = nil
            return
        }
        if let upper, upper.lexicographicallyPrecedes(bound) { self.upper = bound }
    }
}
