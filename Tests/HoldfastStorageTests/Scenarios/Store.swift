import HoldfastStorage
import HoldfastTesting
import Testing

/// A small journal store on a simulated disk, with time in the test's hand.
struct TestStore {
    static let path = "store"

    let disk: SimulatedDisk
    let scheduler = HeldScheduler()

    /// The bytes of journal after which a checkpoint is written; `nil` for what an app has.
    var checkpointBytes: UInt64?

    init(_ disk: SimulatedDisk = SimulatedDisk(), checkpointBytes: UInt64? = nil) {
        self.disk = disk
        self.checkpointBytes = checkpointBytes
    }

    var configuration: JournalConfiguration {
        var configuration = JournalConfiguration()
        configuration.fileSystem = disk
        configuration.scheduler = scheduler
        configuration.firstSegmentBytes = 12_288
        configuration.largestSegmentBytes = 12_288
        configuration.valueCacheBytes = 16 << 10
        configuration.reserveBytes = 0
        if let checkpointBytes {
            configuration.checkpointTailBytes = checkpointBytes
            configuration.checkpointCloseBytes = checkpointBytes
        }
        return configuration
    }

    func open() async throws(StorageError) -> JournalStorage {
        try await JournalStorage.open(at: Self.path, configuration: configuration)
    }

    func follow() async throws(StorageError) -> JournalFollower {
        try await JournalFollower.open(at: Self.path, configuration: configuration)
    }

    func verify() throws -> VerificationReport {
        try JournalVerifier.verify(at: Self.path, configuration: configuration)
    }

    static func segment(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return path + "/" + String(repeating: "0", count: 16 - digits.count) + digits + ".segment"
    }

    /// The store's files, to compare.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in disk.paths where !path.hasSuffix("/LOCK") {
            files[path] = try? disk.contents(of: path)
        }
        return files
    }

    /// A closed store of three segments or more, with `count` records of 200 bytes.
    static func filled(_ count: Int = 45) async throws -> TestStore {
        let store = TestStore()
        let storage = try await store.open()
        for number in 1...count { try await storage.put(filler(number), for: "key \(number)") }
        try await storage.close()
        return store
    }

    static func filler(_ number: Int) -> String {
        "value \(number) " + String(repeating: "x", count: 190)
    }
}

extension Storage {
    func put(
        _ value: String,
        for key: String,
        _ durability: Durability = .synced
    ) async throws {
        _ = try await write(durability) { transaction in
            try transaction.put(Array(value.utf8), for: Array(key.utf8))
        }
    }

    func delete(_ key: String) async throws {
        _ = try await write(.synced) { transaction in try transaction.delete(Array(key.utf8)) }
    }

    func value(for key: String) throws -> String? {
        try snapshot().value(for: Array(key.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every key and value, in order.
    func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        try snapshot().scan(.all, .forward) { key, value in
            contents[text(key)] = text(value)
            return true
        }
        return contents
    }
}

private func text(_ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}

/// The code of the storage error that `body` throws, or `nil` when it throws none.
func code(of body: () async throws -> Void) async -> StorageError.Code? {
    do {
        try await body()
        return nil
    } catch let error as StorageError {
        return error.code
    } catch {
        Issue.record("unexpected \(error)")
        return nil
    }
}
