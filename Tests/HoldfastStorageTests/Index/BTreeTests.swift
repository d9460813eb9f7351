import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct BTreeTests {
    private let tiny = NodeCapacity(entries: 4)

    /// Keys that share prefixes, extend each other and contain zeros and 255s.
    private static let smallKeys: [[UInt8]] = [
        [], [0], [0, 0], [0, 1], [1], [1, 0], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 6],
        [1, 2, 3, 5], [2], [255], [255, 255], [255, 255, 0],
    ]

    @Test func anEmptyTreeHoldsNothing() throws {
        let model = TreeModel(capacity: .standard)
        try model.check(probing: Self.smallKeys)
        try model.checkRanges(over: Self.smallKeys)
        #expect(try model.tree.memoryBytes() == 0)
    }

    @Test(arguments: 1...5)
    func everyOrderOfInsertionAndRemovalKeepsTheMap(_ count: Int) throws {
        let keys = Array(Self.smallKeys[3..<(3 + count)])
        for order in permutations(of: count) {
            var model = TreeModel(capacity: tiny)
            for index in order {
                try model.insert(keys[index], [UInt8(index)])
                try model.tree.checkInvariants()
            }
            try model.check(probing: Self.smallKeys)
            for index in 0..<count {
                try model.remove(keys[index])
                try model.tree.checkInvariants()
            }
            #expect(try model.tree.memoryBytes() == 0)
        }
    }

    @Test func everyRangeOfSmallKeysIsExact() throws {
        var model = TreeModel(capacity: tiny)
        for (index, key) in Self.smallKeys.enumerated() where index % 2 == 0 {
            try model.insert(key, key)
        }
        try model.checkRanges(over: Self.smallKeys)
        for key in Self.smallKeys { try model.insert(key, key + key) }
        try model.checkRanges(over: Self.smallKeys)
    }

    @Test(arguments: [0, 1, 2, 3], [4, 5, 7, 64])
    func randomRunsEqualADictionary(_ seed: UInt64, _ entries: Int) throws {
        var generator = SplitMix64(seed: seed &* 64 &+ UInt64(entries))
        var model = TreeModel(capacity: NodeCapacity(entries: entries))
        var snapshots: [TreeModel] = []
        for step in 0..<600 {
            let length = Int.random(in: 0...4, using: &generator)
            let key = generator.bytes(length * length, below: length < 3 ? 3 : 1)
            // Phases of growth and of shrinking, so that nodes both split and merge.
            if Int.random(in: 0..<10, using: &generator) < (step / 150 % 2 == 0 ? 7 : 3) {
                let count = Int.random(in: 0...40, using: &generator)
                try model.insert(key, generator.bytes(count))
            } else {
                try model.remove(key)
            }
            try model.tree.checkInvariants()
            if step % 60 == 0 { snapshots.append(model) }
        }
        for snapshot in snapshots + [model] { try snapshot.check() }
        for key in model.expected.keys.shuffled(using: &generator) {
            try model.remove(key)
            try model.tree.checkInvariants()
        }
        #expect(try model.tree.memoryBytes() == 0)
        for snapshot in snapshots { try snapshot.check() }
    }

    @Test(arguments: [0, 1])
    func hugeKeysAndPayloadsKeepTheMap(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var model = TreeModel(capacity: .standard)
        let sizes = [0, 20, 253, 254, 255, 1_024, 1_025, 5_000, 40_000]
        let common = [UInt8](repeating: 7, count: 3_000)
        let snapshots = try (0..<4).map { _ in
            for _ in 0..<40 {
                let shared = common.prefix(Int.random(in: 0...3_000, using: &generator))
                let filler = Int.random(in: 0...2_990, using: &generator)
                let key = shared + generator.bytes(9, below: 9) + common.prefix(filler)
                let size = sizes.randomElement(using: &generator) ?? 0
                let payload = [UInt8](repeating: UInt8(size % 256), count: size)
                try model.insert(Array(key), payload)
            }
            for key in Array(model.expected.keys.shuffled(using: &generator).prefix(15)) {
                try model.remove(key)
            }
            try model.tree.checkInvariants()
            return model
        }
        try model.check()
        for key in model.expected.keys { try model.remove(key) }
        #expect(try model.tree.memoryBytes() == 0)
        for snapshot in snapshots { try snapshot.check() }
    }

    @Test func aKeyAboveTheLimitIsRefusedAndChangesNothing() throws {
        var model = TreeModel(capacity: tiny)
        try model.insert([1], [2])
        try model.insert([UInt8](repeating: 7, count: BTree.keyBytes), [3])
        var tree = model.tree
        let tooLong = [UInt8](repeating: 7, count: BTree.keyBytes + 1)
        let error = #expect(throws: StorageError.self) {
            try unsafe tree.insert(tooLong.span.bytes, for: tooLong.span.bytes)
        }
        #expect(error?.code == .invalidKey)
        #expect(tree.count == 2)
        try tree.checkInvariants()
        try model.check(probing: [tooLong])
    }

    @Test func aScanEndsWhenItsVisitorSaysSo() throws {
        var model = TreeModel(capacity: tiny)
        for byte in 0..<100 as Range<UInt8> { try model.insert([byte], [byte]) }
        for direction in [ScanDirection.forward, .backward] {
            var visited: [UInt8] = []
            try model.tree.forEach(direction) { key, payload in
                visited.append(payload.bytes[0])
                return visited.count < 7
            }
            #expect(
                visited == (direction == .forward ? Array(0..<7) : Array((93..<100).reversed()))
            )
        }
    }

    private func permutations(of count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return permutations(of: count - 1).flatMap { shorter in
            (0...shorter.count).map { position in
                var longer = shorter
                longer.insert(count - 1, at: position)
                return longer
            }
        }
    }
}

extension BTree {
    fileprivate func forEach(
        _ direction: ScanDirection,
        _ visit: (RawSpan, RawSpan) -> Bool
    ) throws {
        try forEach(in: .all, direction, visit)
    }
}
