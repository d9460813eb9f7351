import HoldfastStorage
import HoldfastTesting
import Testing

/// Trees whose nodes are read from a checkpoint when they are first touched.
@Suite struct CheckpointPageTests {
    @Test(arguments: [0, 1, 4, 6, 30, 400], [4, 5, 64])
    func aCheckpointHoldsWhatTheTreesHeld(_ count: Int, _ entries: Int) async throws {
        let stored = try await StoredRoot(count, entries: entries)
        let checkpoint = try stored.open()
        #expect(checkpoint.root.sequenceNumber == SequenceNumber(7))
        #expect(checkpoint.segments.map(\.number) == [2, 3])
        #expect(checkpoint.segments.first?.tombstones == [.init(older: 1...2, bytes: 30)])
        #expect(checkpoint.retired.map(\.end.chain) == [77])
        try TreeModel(checkpoint.root.records, expected: stored.records)
            .check(probing: [[], [0], [8, 8], [200]])
        let index = try #require(checkpoint.trees.first { $0.name == "kind" })
        try index.tree.checkInvariants()
        #expect(try index.tree.keys() == stored.root.indexes[0].entries.keys())
    }

    @Test func aNodeIsReadWhenItIsFirstTouchedAndNeverAgain() async throws {
        let stored = try await StoredRoot(2_000, entries: 8)
        let records = try stored.open().root.records
        #expect(try records.memoryBytes() == 0)
        let before = stored.disk.counters.reads
        let key = try #require(stored.records.keys.min { $0.lexicographicallyPrecedes($1) })
        #expect(try records.payload(for: key) == stored.records[key])
        let reads = stored.disk.counters.reads - before
        #expect((2...6).contains(reads))
        #expect(try records.firstKey() == key)
        #expect(stored.disk.counters.reads - before == reads)
        #expect(try records.memoryBytes() < 2_000)
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [4, 7])
    func editsOfATreeInACheckpointEqualADictionary(_ seed: UInt64, _ entries: Int) async throws {
        var random = SplitMix64(seed: seed)
        var stored = try await StoredRoot(300, entries: entries, seed: seed)
        for generation in 0..<3 {
            let tree = try stored.open().root.records
            var model = TreeModel(tree, expected: stored.records)
            let snapshot = TreeModel(tree, expected: stored.records)
            let keys = Array(stored.records.keys)
            for step in 0..<400 {
                let known = keys[random.next(below: keys.count)]
                let key =
                    step % 3 == 0 ? random.bytes(1 + random.next(below: 12), below: 9) : known
                if random.next(below: 3) < 1 + (generation + step / 200) % 2 {
                    try model.remove(key)
                } else {
                    try model.insert(key, StoredRoot.location(UInt8(step & 127)))
                }
            }
            // Nodes in memory and others side by side go into the next checkpoint.
            let root = StorageRoot(sequenceNumber: SequenceNumber(8), records: model.tree)
            _ = try await stored.write(root, salt: seed + UInt64(generation))
            stored.replaceRecords(model.expected)
            try model.check()
            try snapshot.check()
        }
        try TreeModel(stored.open().root.records, expected: stored.records).check()
    }

    @Test func removingEverythingFromATreeInACheckpointLeavesNothing() async throws {
        for order in 0..<3 {
            let stored = try await StoredRoot(300, entries: 4)
            var tree = try stored.open().root.records
            var keys = stored.records.keys.sorted { $0.lexicographicallyPrecedes($1) }
            if order == 1 { keys.reverse() }
            if order == 2 {
                var random = SplitMix64(seed: 5)
                keys.shuffle(using: &random)
            }
            for key in keys { #expect(try unsafe tree.remove(key.span.bytes)) }
            #expect(tree.count == 0)
            #expect(try tree.memoryBytes() == 0)
        }
    }

    /// Whatever page cannot be read, an edit of several trees is done or not done.
    @Test(arguments: 0..<12)
    func aPageThatCannotBeReadFailsTheChangeAndNothingElse(_ skipped: Int) async throws {
        let stored = try await StoredRoot(150, entries: 4)
        var random = SplitMix64(seed: UInt64(skipped))
        let keys = Array(stored.records.keys)
        var failures = 0
        for attempt in 0..<8 {
            var root = try stored.open().root(declaring: StoredRoot.index)
            var expected = stored.records
            let key = keys[random.next(below: keys.count)]
            let fault = DiskFault(
                .error(.inputOutput),
                on: [.read],
                pathSuffix: "checkpoint",
                after: skipped
            )
            stored.disk.inject(fault)
            do throws(StorageError) {
                if attempt % 2 == 0 {
                    try unsafe root.delete(key.span.bytes, reading: PayloadSource())
                    expected[key] = nil
                } else {
                    let payload = StoredRoot.location(250)
                    let value = unsafe payload.span.bytes
                    try unsafe root.put(value, value, for: key.span.bytes, reading: PayloadSource())
                    expected[key] = payload
                }
            } catch {
                #expect(error.code == .checkpointDamaged)
                failures += 1
            }
            stored.disk.removeFaults()
            try TreeModel(root.records, expected: expected).check()
            try root.indexes[0].entries.checkInvariants()
            var fresh = StorageRoot(sequenceNumber: root.sequenceNumber, capacity: stored.capacity)
            for (key, payload) in expected {
                let value = unsafe payload.span.bytes
                try unsafe fresh.put(value, value, for: key.span.bytes, reading: PayloadSource())
            }
            try fresh.setIndexes([StoredRoot.index], reading: PayloadSource())
            #expect(try root.indexes[0].entries.keys() == fresh.indexes[0].entries.keys())
        }
        if skipped < 4 { #expect(failures > 0) }
    }
}
