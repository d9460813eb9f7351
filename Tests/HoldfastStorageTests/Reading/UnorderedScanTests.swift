import HoldfastStorage
import HoldfastTesting
import Testing

/// Scans in the order of the journal, over more keys than are read in their own order.
@Suite("Unordered scans")
struct UnorderedScanTests {
    typealias Bytes = [UInt8]

    private static let count = 5_000

    /// Keys in random order, some written over and some removed.
    private static func world(
        seed: UInt64
    ) async throws -> (
        store: TestStore, storage: JournalStorage, contents: [Bytes: Bytes]
    ) {
        var random = SplitMix64(seed: seed)
        let store = TestStore()
        var configuration = store.configuration
        configuration.largestSegmentBytes = 64 << 10
        let storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        var contents: [Bytes: Bytes] = [:]
        for round in 0..<12 {
            let writes = (0..<500).map { number in
                let word = random.next()
                let key =
                    round > 9 ? contents.keys.randomElement(using: &random) ?? [] : bytes(word)
                let value = Bytes(
                    repeating: UInt8(truncatingIfNeeded: word),
                    count: number == 7 ? 20_000 : Int(word >> 32 & 63)
                )
                return (key: key, value: word & 7 == 0 && round > 9 ? nil : value)
            }
            _ = try await storage.write(.buffered) { transaction in
                for write in writes {
                    if let value = write.value {
                        try transaction.put(value, for: write.key)
                    } else {
                        try transaction.delete(write.key)
                    }
                }
            }
            for write in writes { contents[write.key] = write.value }
        }
        return (store, storage, contents)
    }

    private static func bytes(_ word: UInt64) -> Bytes {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }

    private static func visited(
        _ snapshot: any StorageSnapshot,
        _ range: KeyRange = .all,
        limit: Int = .max
    ) throws -> [Bytes: Bytes] {
        var visited: [Bytes: Bytes] = [:]
        var count = 0
        try snapshot.scanUnordered(range) { key, value in
            count += 1
            let old = visited.updateValue(Bytes(value), forKey: Bytes(key))
            #expect(old == nil, "a key was visited twice")
            return count < limit
        }
        return visited
    }

    @Test(arguments: [1, 2] as [UInt64])
    func everyLiveRecordIsVisitedOnce(seed: UInt64) async throws {
        let (_, storage, contents) = try await Self.world(seed: seed)
        #expect(contents.count > 4_096)
        let snapshot = try storage.snapshot()
        #expect(try Self.visited(snapshot) == contents)
        #expect(try Self.visited(snapshot, limit: 10).count == 10)
        let range = KeyRange(from: [5], upTo: [250])
        let inside = contents.filter { range.contains(unsafe $0.key.span.bytes) }
        #expect(inside.count > 4_096)
        #expect(try Self.visited(snapshot, range) == inside)
        _ = try await storage.write(.synced) { transaction in
            for key in contents.keys { try transaction.delete(key) }
            #expect(try Self.visited(transaction).isEmpty)
        }
        #expect(try Self.visited(snapshot) == contents, "a snapshot changed")
    }

    @Test func aDamagedRecordIsAnErrorAndOneThatIsGoneIsNot() async throws {
        let (store, storage, contents) = try await Self.world(seed: 3)
        let snapshot = try storage.snapshot()
        var (live, dead) = (0, 0)
        for path in store.disk.paths.filter({ $0.hasSuffix(".segment") }).prefix(6) {
            let size = try store.disk.contents(of: path).count
            for offset in stride(from: 8_300, to: size - 100, by: 7_919) {
                try store.disk.flipBit(offset * 8, of: path)
                do {
                    #expect(try Self.visited(snapshot) == contents)
                    dead += 1
                } catch let error as StorageError {
                    #expect(error.code == .corruption && error.path == path)
                    live += 1
                }
                try store.disk.flipBit(offset * 8, of: path)
            }
        }
        #expect(live > 5 && dead > 0)
        store.disk.inject(DiskFault(.error(.inputOutput), on: [.read], after: 3, times: nil))
        #expect(await code { _ = try Self.visited(snapshot) } == .inputOutput)
        store.disk.removeFaults()
        store.disk.inject(DiskFault(.short(100), on: [.read], times: nil))
        #expect(try Self.visited(snapshot) == contents)
    }
}

extension [UInt8] {
    fileprivate init(_ span: RawSpan) { self = unsafe span.withUnsafeBytes { unsafe Array($0) } }
}
