import HoldfastStorage
import HoldfastTesting
import Testing

/// A store on a file system that can only be read, as a backup medium is.
@Suite struct ReadOnlyDiskTests {
    private static let changes: Set<DiskCall.Kind> = [
        .write, .setSize, .allocate, .rename, .unlink, .createDirectory,
    ]

    private func readOnly(_ store: TestStore) {
        store.disk.inject(
            DiskFault(.error(.readOnlyFileSystem), on: Self.changes, times: nil)
        )
    }

    @Test func aStoreOnAReadOnlyFileSystemIsReadAndNamedAsSuchToAWriter() async throws {
        let store = try await TestStore.filled(20)
        let before = try store.files()
        readOnly(store)
        store.disk.inject(
            DiskFault(.error(.readOnlyFileSystem), on: [.open], pathSuffix: "LOCK", times: 1)
        )
        let error = await #expect(throws: StorageError.self) { _ = try await store.open() }
        #expect(error?.code == .readOnly)
        #expect(error?.description.contains("open the store for reading") == true)
        let follower = try await store.follow()
        #expect(try follower.snapshot().count == 20)
        #expect(try follower.value(for: "key 7") == TestStore.filler(7))
        #expect(try store.verify().isIntact)
        #expect(try store.files() == before)
    }

    @Test func aStoreThatWasKilledIsReadWithEveryCommitAndNothingIsRecovered() async throws {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...30 { try await storage.put(TestStore.filler(number), for: "\(number)") }
        let killed = TestStore(store.disk.image().afterKill())
        let before = try killed.files()
        readOnly(killed)
        let follower = try await killed.follow()
        #expect(try follower.snapshot().count == 30)
        #expect(try killed.files() == before)
    }

    @Test func aMakingOfAStoreThereIsRefused() async throws {
        let store = TestStore()
        readOnly(store)
        #expect(await code { _ = try await store.open() } == .readOnly)
        #expect(store.disk.paths.isEmpty)
    }
}
