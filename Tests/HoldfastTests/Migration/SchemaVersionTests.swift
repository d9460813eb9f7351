import Holdfast
import HoldfastStorage
import HoldfastTesting
import Testing

/// Stores on a simulated disk whose data is older or newer than the schema.
@Suite struct SchemaVersionTests {
    private func options(
        _ disk: SimulatedDisk,
        _ access: StoreOptions.Access = .create
    ) -> StoreOptions {
        var options = StoreOptions(access: access)
        options.journal.fileSystem = disk
        options.journal.scheduler = HeldScheduler()
        options.journal.owner = "an owner that nobody wrote before"
        options.journal.firstSegmentBytes = 8_704
        options.journal.largestSegmentBytes = 8_704
        return options
    }

    private func schema(_ version: Int) -> Schema {
        var schema = Schema(version: version) { Table("notes") { Index("title") } }
        for old in 0..<version {
            schema = schema.migrate("to \(old + 1)", from: old) { transaction in
                try transaction.setDefault(true, for: "v\(old + 1)", in: "notes")
            }
        }
        return schema
    }

    /// A disk with a store of a version, closed or left as a killed process leaves it.
    private func disk(version: Int?, isClosed: Bool) async throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        var options = options(disk)
        options.journal.owner = "1"
        let store = try await Store.open(
            at: "store",
            schema: version.map { schema($0) },
            options: options
        )
        for number in 0..<40 as Range<Int64> {
            try await store.write(number < 38 ? .synced : .buffered) { transaction in
                let title = JSONValue.string(String(repeating: "x", count: 400))
                try transaction.put(["id": .integer(number), "title": title], in: "notes")
            }
        }
        guard isClosed else { return disk.image().afterKill() }
        try await store.close()
        return disk
    }

    private func files(_ disk: SimulatedDisk) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try disk.list("store") {
            let file = try disk.open("store/" + name, .read)
            defer { file.close() }
            files[name] = try file.read(count: Int(file.size()), at: 0)
        }
        return files
    }

    @Test(arguments: [true, false], [StoreOptions.Access.create, .write, .read])
    func aStoreThatIsNewerThanTheAppIsLeftAsItIsToTheByte(
        isClosed: Bool,
        access: StoreOptions.Access
    ) async throws {
        let disk = try await disk(version: 3, isClosed: isClosed)
        let before = try files(disk)
        let counters = disk.counters
        for _ in 1...2 {
            let error = await #expect(throws: StoreError.self) {
                _ = try await Store.open(
                    at: "store",
                    schema: schema(2),
                    options: options(disk, access)
                )
            }
            #expect(error?.code == .schemaTooNew)
            #expect(error?.message.contains("version 3") == true)
        }
        #expect(try files(disk) == before)
        #expect(disk.counters.writes == counters.writes)
        let store = try await Store.open(at: "store", schema: schema(3), options: options(disk))
        #expect(try store.read { try $0.count(of: "notes") } == 40)
        try await store.close()
    }

    @Test func aNewerStoreWithoutItsLockFileGetsNone() async throws {
        let disk = try await disk(version: 3, isClosed: true)
        try disk.unlink("store/LOCK")
        let before = try files(disk)
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store.open(at: "store", schema: schema(2), options: options(disk))
        }
        #expect(error?.code == .schemaTooNew)
        #expect(try files(disk) == before)
    }

    @Test(arguments: [nil, 1, 2] as [Int?])
    func aReaderOfAStoreThatAStepHasToChangeIsRefused(version: Int?) async throws {
        let disk = try await disk(version: version, isClosed: true)
        let before = try files(disk)
        let error = await #expect(throws: StoreError.self) {
            _ = try await Store.open(at: "store", schema: schema(3), options: options(disk, .read))
        }
        #expect(error?.code == .schemaTooOld)
        #expect(error?.message.contains("\"to \((version ?? 0) + 1)\"") == true)
        #expect(try files(disk) == before)
    }

    @Test func aReaderOfAnOlderStoreThatNoStepHasToChangeReadsIt() async throws {
        let disk = try await disk(version: 1, isClosed: true)
        let newer = Schema(version: 5) { Table("notes") { Index("other") } }
        let before = try files(disk)
        let store = try await Store.open(
            at: "store",
            schema: newer,
            options: options(disk, .read)
        )
        #expect(try store.read { try $0.count(of: "notes") } == 40)
        #expect(try store.indexes(of: "notes") == [Index("title")])
        try await store.close()
        #expect(try files(disk) == before)
    }

    @Test func aReaderIsToldWhenANewerProgramMigratesTheStore() async throws {
        let disk = try await disk(version: 2, isClosed: true)
        let reader = try await Store.open(
            at: "store",
            schema: schema(2),
            options: options(disk, .read)
        )
        try await reader.refresh()
        let writer = try await Store.open(at: "store", schema: schema(3), options: options(disk))
        try await writer.close()
        let error = await #expect(throws: StoreError.self) { try await reader.refresh() }
        #expect(error?.code == .schemaTooNew)
        try await reader.close()
    }

    @Test(arguments: [true, false])
    func anOlderStoreIsMigratedOnceAfterAnyEnd(isClosed: Bool) async throws {
        let disk = try await disk(version: 1, isClosed: isClosed)
        for _ in 1...2 {
            let store = try await Store.open(at: "store", schema: schema(3), options: options(disk))
            try store.read { (transaction) throws in
                let note = try #require(try transaction.get("39", in: "notes"))
                #expect(note["v1"] == nil)
                #expect(note["v2"] == true)
                #expect(note["v3"] == true)
                #expect(try transaction.schemaVersion() == 3)
            }
            try await store.close()
        }
    }
}
