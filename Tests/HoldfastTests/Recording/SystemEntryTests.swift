import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

@Suite struct SystemEntryTests {
    private func key(_ text: String) -> [UInt8] { SystemSpace.sync.prefix + Array(text.utf8) }

    private func filled() async throws -> Store {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for text in ["b", "a", "c"] {
                try transaction.putSystem([7] + Array(text.utf8), for: key(text))
            }
            try transaction.putSystem([1], for: SystemSpace.server.prefix + [9])
            try transaction.put(["id": "x"], in: "notes")
        }
        return store
    }

    @Test func entriesAreVisitedInOrderBothWaysWithinTheirSpaceAlone() async throws {
        let store = try await filled()
        try store.read { transaction in
            var values: [[UInt8]] = []
            try transaction.scanSystem(SystemSpace.sync.keys) { _, value in
                values.append(value)
                return true
            }
            #expect(values == [[7, 97], [7, 98], [7, 99]])
            var keys: [[UInt8]] = []
            try transaction.scanSystemKeys(SystemSpace.sync.keys, .backward) { key in
                keys.append(key)
                return keys.count < 2
            }
            #expect(keys == [key("c"), key("b")])
            #expect(try transaction.countSystem(in: SystemSpace.sync.keys) == 3)
            #expect(try transaction.countSystem(in: SystemSpace.server.keys) == 1)
        }
    }

    @Test func anEntryIsGotReplacedAndDeleted() async throws {
        let store = try await filled()
        try await store.write { transaction in
            try transaction.putSystem([], for: key("a"))
            #expect(try transaction.systemValue(for: key("a")) == [])
            #expect(try transaction.deleteSystem(key("a")))
            #expect(try !transaction.deleteSystem(key("a")))
            #expect(try transaction.systemValue(for: key("a")) == nil)
            #expect(try !transaction.containsSystem(key("a")))
            #expect(try transaction.deleteSystem(in: SystemSpace.sync.keys) == 2)
        }
        try store.read { transaction in
            let count = try transaction.countSystem(in: SystemSpace.sync.keys)
            #expect(count == 0)
            #expect(try transaction.containsSystem(SystemSpace.server.prefix + [9]))
        }
    }

    @Test func entriesAreNoRecordsToAnybody() async throws {
        let store = try await filled()
        #expect(try store.read { try $0.tables() }.map(\.name) == ["notes"])
        let changes = try store.commits(after: SequenceNumber(0)).flatMap(\.changes)
        #expect(changes.map(\.table) == ["notes"])
    }

    @Test func entriesThatAreNoDocumentsAreNoDamage() async throws {
        var options = StoreOptions()
        options.journal.fileSystem = SimulatedDisk()
        let store = try await Store.open(at: "store", options: options)
        try await store.write { try $0.putSystem([0xFF, 0], for: key("a")) }
        #expect(try await store.verify().findings.isEmpty)
        try await store.close()
    }
}
