import Holdfast
import HoldfastTesting
import Testing

/// Where the disk is read for a caller on an actor.
@WatchedActor @Suite struct DiskWorkTests {
    private let disk = WatchedFileSystem()

    private func open(_ access: StoreOptions.Access) async throws -> Store {
        var options = StoreOptions(access: access)
        options.journal.fileSystem = disk
        return try await Store.open(at: "store", options: options)
    }

    private func expectDiskWorkElsewhere(_ body: @WatchedActor () async throws -> Void) async throws
    {
        disk.forgetCalls()
        try await body()
        let calls = disk.calls
        #expect(calls.onActor == 0)
        #expect(calls.elsewhere > 0)
    }

    private func fill() async throws {
        let store = try await open(.create)
        for _ in 0..<3 { try await store.write { _ = try $0.put([:], in: "t") } }
        try await store.close()
    }

    @Test func whatACallerReadsItselfIsReadOnItsActor() async throws {
        try await fill()
        let store = try await open(.read)
        disk.forgetCalls()
        #expect(try store.commits(after: .zero).count == 3)
        #expect(disk.calls.onActor > 0)
    }

    @Test func aFollowerThatWaitsReadsTheDiskOffItsCallersActor() async throws {
        try await fill()
        let store = try await open(.read)
        try await expectDiskWorkElsewhere {
            let number = try await store.waitForCommit(after: .zero)
            #expect(number.rawValue == 3)
        }
        let storage = store.storage
        try await expectDiskWorkElsewhere {
            let number = try await storage.waitForCommit(after: .zero)
            #expect(number.rawValue == 3)
        }
    }

    @Test(arguments: [StoreOptions.Access.read, .write])
    func changesAreReadOffTheirCallersActor(_ access: StoreOptions.Access) async throws {
        try await fill()
        let store = try await open(access)
        try await expectDiskWorkElsewhere {
            var numbers: [UInt64] = []
            for try await commit in store.changes(after: .zero) {
                numbers.append(commit.sequenceNumber.rawValue)
                if numbers.count == 3 { break }
            }
            #expect(numbers == [1, 2, 3])
        }
        try await expectDiskWorkElsewhere {
            var iterator = store.changes(after: .zero).makeAsyncIterator()
            let commit = try await iterator.next()
            #expect(commit?.sequenceNumber.rawValue == 1)
        }
        try await store.close()
    }
}
