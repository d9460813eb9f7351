import HoldfastStorage

/// The first of the keys that come in, in any order and more than once, as many as are to be held.
///
/// What comes after them is left for another visit of the same keys, behind ``end``.
package struct KeyStretch {
    /// The number of keys that a visit holds.
    package static let limit = 65_536

    private let limit: Int
    private let direction: ScanDirection
    private var keys = DistinctBytes()
    /// The last key of the stretch, where keys behind it were left out.
    package private(set) var end: [UInt8]?

    /// A stretch of so many keys, at least one.
    package init(limit: Int, _ direction: ScanDirection) {
        self.limit = max(limit, 1)
        self.direction = direction
    }

    /// Takes a key in, unless it belongs behind the stretch.
    ///
    /// - Complexity: O(log k) for k keys that are held, on average.
    package mutating func append(_ key: RawSpan) {
        if let end, key.order(to: end) == (direction == .forward ? .after : .before) { return }
        keys.append(key)
        // Twice as many as are wanted are held, so that a shortening pays for itself.
        if keys.count / 2 >= max(limit, 512) { shorten() }
    }

    /// Visits the stretch's keys, each once and in order, until `visit` returns `false`.
    ///
    /// - Complexity: O(k log k).
    package mutating func visitKeys(_ visit: (_ key: RawSpan) throws -> Bool) rethrows {
        shorten()
        try keys.forEach(ascending: direction == .forward, visit)
    }

    /// Leaves out the keys behind the limit.
    private mutating func shorten() {
        guard keys.count > limit else { return }
        var kept = DistinctBytes()
        keys.forEach(ascending: direction == .forward) { key in
            if kept.count == limit {
                end = kept.last
                return false
            }
            kept.append(key)
            return true
        }
        keys = kept
    }
}
