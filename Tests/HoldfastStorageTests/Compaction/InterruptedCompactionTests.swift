import HoldfastStorage
import HoldfastTesting
import Testing

/// Compactions that were interrupted, and what the next one makes of what they left.
@Suite struct InterruptedCompactionTests {
    /// A cold segment that holds an older version of a key; a transaction that deletes the key and
    /// puts it again; and much that is overwritten, so that the transaction's segment is given up.
    private func filled() async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        try await storage.put(TestStore.filler(1), for: "key")
        for number in 1...14 { try await storage.put(TestStore.filler(number), for: "c\(number)") }
        _ = try await storage.write(.synced) { transaction in
            try transaction.delete(Array("key".utf8))
            try transaction.put(Array("new".utf8), for: Array("key".utf8))
        }
        for _ in 1...3 {
            for number in 1...13 {
                try await storage.put(TestStore.filler(number), for: "h\(number)")
            }
        }
        return store
    }

    /// Each compaction may be interrupted before any call; the next one finds entries that were
    /// moved, and are still where they were.
    @Test func aDeleteBeforeAPutInOneTransactionStaysBeforeIt() async throws {
        let store = TestStore(try await filled().disk.image().afterKill())
        let storage = try await store.open()
        let expected = try storage.contents()
        #expect(expected["key"] == "new")
        store.disk.startRecording(images: true)
        try await storage.compact()
        let images = store.disk.recording.images
        #expect(images.count > 10)
        for image in images {
            let interrupted = TestStore(image.afterKill())
            let again = try await interrupted.open()
            #expect(try again.contents() == expected)
            try await again.compact()
            #expect(try again.contents() == expected)
            try await expectAll(expected, of: interrupted.disk.image(), image.nextCall)
        }
    }

    /// Nothing tells a reader that segments are given up, until it looks for one of them.
    @Test func aFollowersFeedBelowWhatWasGivenUpSaysThatItIsGone() async throws {
        let store = TestStore()
        let storage = try await store.open()
        let follower = try await store.follow()
        for number in 1...60 { try await storage.put(TestStore.filler(number), for: "key") }
        try follower.refresh()
        try await storage.compact()
        try follower.refresh()
        let error = #expect(throws: StorageError.self) {
            try follower.changes(after: .zero, limit: 1)
        }
        #expect(error?.code == .changesCompacted)
        #expect(try follower.changes(after: SequenceNumber(60), limit: 1) == [])
    }

    /// With its checkpoint, without it, and as salvage finds it.
    private func expectAll(
        _ expected: [String: String],
        of image: DiskImage,
        _ call: DiskCall?
    ) async throws {
        let place = "interrupted before \(call.map(String.init(describing:)) ?? "its end")"
        #expect(try await TestStore(image.afterKill()).open().contents() == expected, "\(place)")
        let bare = TestStore(image.afterKill())
        if bare.disk.paths.contains("store/checkpoint") { try bare.disk.remove("store/checkpoint") }
        #expect(try await bare.open().contents() == expected, "\(place), no checkpoint")
        let damaged = TestStore(image.afterKill())
        _ = try await JournalSalvage.salvage(
            from: TestStore.path,
            to: "saved",
            configuration: damaged.configuration
        )
        let saved = try await JournalStorage.open(
            at: "saved",
            configuration: damaged.configuration
        )
        #expect(try saved.contents() == expected, "\(place), salvaged")
    }
}
