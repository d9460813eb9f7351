import HoldfastStorage
import HoldfastTesting
import Testing

/// A tree beside a dictionary that says what it has to hold.
struct TreeModel {
    private(set) var tree: BTree
    private(set) var expected: [[UInt8]: [UInt8]] = [:]

    init(capacity: NodeCapacity) {
        tree = BTree(capacity: capacity)
    }

    init(_ tree: BTree, expected: [[UInt8]: [UInt8]]) {
        self.tree = tree
        self.expected = expected
    }

    mutating func insert(_ key: [UInt8], _ payload: [UInt8]) throws {
        let wasThere = try unsafe tree.insert(payload.span.bytes, for: key.span.bytes)
        #expect(wasThere == (expected.updateValue(payload, forKey: key) != nil))
    }

    mutating func remove(_ key: [UInt8]) throws {
        let wasThere = try unsafe tree.remove(key.span.bytes)
        #expect(wasThere == (expected.removeValue(forKey: key) != nil))
    }

    /// Compares everything that can be asked of the tree.
    func check(probing probes: [[UInt8]] = []) throws {
        try tree.checkInvariants()
        let keys = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
        try #require(tree.count == keys.count)
        try #require(tree.keys() == keys)
        try #require(tree.keys(.all, .backward) == keys.reversed())
        try #require(tree.firstKey() == keys.first)
        try #require(tree.lastKey() == keys.last)
        for key in keys { try #require(tree.payload(for: key) == expected[key]) }
        for probe in probes {
            try #require(tree.payload(for: probe) == expected[probe])
            let below = keys.prefix { $0.lexicographicallyPrecedes(probe) }.count
            try #require(unsafe tree.count(below: probe.span.bytes) == below)
        }
    }

    func checkRanges(over bounds: [[UInt8]]) throws {
        let keys = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for lower in bounds {
            for upper in bounds.map(Optional.some) + [nil] {
                let range = KeyRange(from: lower, upTo: upper)
                let inside = keys.filter {
                    !$0.lexicographicallyPrecedes(lower)
                        && (upper.map($0.lexicographicallyPrecedes) ?? true)
                }
                try #require(tree.keys(range) == inside)
                try #require(tree.keys(range, .backward) == inside.reversed())
                try #require(tree.count(in: range) == inside.count)
            }
        }
    }
}

extension BTree {
    func payload(for key: [UInt8]) throws -> [UInt8]? {
        try unsafe withPayload(for: key.span.bytes) { $0.bytes }
    }

    func keys(_ range: KeyRange = .all, _ direction: ScanDirection = .forward) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try forEach(in: range, direction) { key, _ in
            keys.append(key.bytes)
            return true
        }
        return keys
    }
}

extension RawSpan {
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }
}

extension SplitMix64 {
    mutating func bytes(_ count: Int, below bound: UInt8 = .max) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...bound, using: &self) }
    }
}
