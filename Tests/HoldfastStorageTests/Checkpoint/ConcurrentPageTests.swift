import HoldfastStorage
import HoldfastTesting
import Testing

/// One tree in a checkpoint, read from many threads while others change copies of it.
@Suite struct ConcurrentPageTests {
    @Test func concurrentReadersAndWritersOfOneTreeSeeTheirOwnState() async throws {
        let stored = try await StoredRoot(1_500, entries: 6)
        for round in 0..<3 {
            let tree = try stored.open().root.records
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 0..<4 {
                    group.addTask {
                        for (key, payload) in stored.records where key.count % 4 == reader {
                            try #require(tree.payload(for: key) == payload)
                        }
                        let keys = try tree.keys(.all, reader < 2 ? .forward : .backward)
                        #expect(keys.count == stored.records.count)
                    }
                }
                for writer in 0..<3 {
                    group.addTask {
                        var random = SplitMix64(seed: UInt64(round * 3 + writer))
                        var model = TreeModel(tree, expected: stored.records)
                        let keys = Array(stored.records.keys)
                        for step in 0..<300 {
                            let key = keys[random.next(below: keys.count)]
                            if step % 2 == writer % 2 {
                                try model.remove(key)
                            } else {
                                try model.insert(key, StoredRoot.location(UInt8(step & 255)))
                            }
                        }
                        try model.check()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
