import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct BTreeMemoryTests {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A record's key: a table's name, a zero, and 36 characters in the form of a UUID.
    private func key(_ number: UInt64) -> [UInt8] {
        var generator = SplitMix64(seed: number)
        let digits = (0..<36).map { position -> UInt8 in
            [8, 13, 18, 23].contains(position)
                ? UInt8(ascii: "-") : Self.hexadecimal[generator.next(below: 16)]
        }
        return Array("notes".utf8) + [0] + digits
    }

    private func tree(of keys: [[UInt8]]) throws -> BTree {
        var tree = BTree()
        let payload = [UInt8](repeating: 7, count: 20)
        for key in keys { try unsafe tree.insert(payload.span.bytes, for: key.span.bytes) }
        return tree
    }

    @Test func randomKeysTakeFewBytesAndFillTheLeaves() throws {
        let tree = try tree(of: (0..<10_000).map(key))
        try tree.checkInvariants()
        #expect(try tree.memoryBytes() <= 80 * tree.count)
        #expect(try tree.leafFill() >= 0.75)
    }

    @Test(arguments: [true, false])
    func sortedKeysLeaveTheLeavesFull(_ isAscending: Bool) throws {
        let keys = (0..<5_000).map(key).sorted { $0.lexicographicallyPrecedes($1) }
        let tree = try tree(of: isAscending ? keys : keys.reversed())
        try tree.checkInvariants()
        #expect(try tree.leafFill() >= 0.97)
        #expect(try tree.memoryBytes() <= 80 * tree.count)
    }

    @Test func aSmallTreeIsSmall() throws {
        #expect(try tree(of: [key(0)]).memoryBytes() <= 256)
        #expect(try tree(of: (0..<10).map(key)).memoryBytes() <= 1_024)
    }

    @Test func replacingPayloadsDoesNotGrowTheTree() throws {
        var tree = try tree(of: (0..<300).map(key))
        let before = try tree.memoryBytes()
        var generator = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let key = key(UInt64(generator.next(below: 300)))
            let payload = generator.bytes(15 + generator.next(below: 6))
            try unsafe tree.insert(payload.span.bytes, for: key.span.bytes)
        }
        try tree.checkInvariants()
        #expect(tree.count == 300)
        #expect(try tree.memoryBytes() <= before * 3 / 2)
    }

    @Test func snapshotsAreReadWhileTheTreeChanges() async throws {
        var tree = try tree(of: (0..<1_000).map(key))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<20 {
                let snapshot = tree
                group.addTask {
                    #expect(snapshot.count == 1_000 + round * 50)
                    try snapshot.checkInvariants()
                    #expect(try snapshot.keys().count == snapshot.count)
                }
                for number in 0..<50 as Range<UInt64> {
                    let key = key(1_000 + UInt64(round) * 50 + number)
                    try unsafe tree.insert(key.span.bytes, for: key.span.bytes)
                }
            }
            try await group.waitForAll()
        }
        try tree.checkInvariants()
    }
}
