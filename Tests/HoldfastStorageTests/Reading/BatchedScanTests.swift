import HoldfastStorage
import HoldfastTesting
import Testing

/// Scans that read values in batches, beside a dictionary; scenarios C25 and C26.
@Suite("Batched scans")
struct BatchedScanTests {
    typealias Bytes = [UInt8]

    private static let index = IndexDefinition(name: "head", version: 1) { _, value, emit in
        unsafe emit(Bytes([UInt8(value.byteCount % 7)]).span.bytes)
    }

    /// A store with random keys and values, some long, some written over, some removed.
    private static func world(
        seed: UInt64,
        cache: Int
    ) async throws -> (
        store: TestStore, storage: JournalStorage, contents: [Bytes: Bytes]
    ) {
        var random = SplitMix64(seed: seed)
        let store = TestStore()
        var configuration = store.configuration
        configuration.valueCacheBytes = cache
        configuration.largestSegmentBytes = 1 << 20
        var storage = try await JournalStorage.open(
            at: TestStore.path,
            configuration: configuration
        )
        try await storage.setIndexes([index])
        var contents: [Bytes: Bytes] = [:]
        for _ in 0..<12 {
            let writes = (0..<Int.random(in: 1...90, using: &random)).map { _ in
                (key: key(&random), value: value(&random))
            }
            _ = try await storage.write(.buffered) { transaction in
                for write in writes {
                    guard let value = write.value else {
                        try transaction.delete(write.key)
                        continue
                    }
                    try transaction.put(value, for: write.key)
                }
            }
            for write in writes { contents[write.key] = write.value }
        }
        // What was just committed is in the cache otherwise.
        try await storage.close()
        storage = try await JournalStorage.open(at: TestStore.path, configuration: configuration)
        try await storage.setIndexes([index])
        return (store, storage, contents)
    }

    private static func key(_ random: inout SplitMix64) -> Bytes {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            UInt8.random(in: 97...104, using: &random)
        }
    }

    private static func value(_ random: inout SplitMix64) -> Bytes? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: nil
        case 3: Bytes(repeating: .random(in: 0...255, using: &random), count: 70_000)
        default:
            Bytes(
                repeating: .random(in: 0...255, using: &random),
                count: .random(in: 0...300, using: &random)
            )
        }
    }

    struct Pair: Hashable {
        var key: Bytes
        var value: Bytes
    }

    private static func sorted(_ contents: [Bytes: Bytes]) -> [Pair] {
        contents.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { Pair(key: $0.key, value: $0.value) }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64], [0, 1 << 20])
    func everyScanEqualsADictionary(seed: UInt64, cache: Int) async throws {
        let (_, storage, contents) = try await Self.world(seed: seed, cache: cache)
        let expected = Self.sorted(contents)
        let snapshot = try storage.snapshot()
        for _ in 1...3 {
            #expect(try Self.pairs(snapshot, .forward) == expected)
            #expect(try Self.pairs(snapshot, .backward) == expected.reversed())
            #expect(Set(try Self.unordered(snapshot)) == Set(expected))
            for limit in [1, 7, 8, 9, 40, 41] {
                let first = try Self.pairs(snapshot, .forward, limit: limit)
                #expect(first == Array(expected.prefix(limit)))
            }
            try Self.checkIndex(snapshot, expected)
        }
        try await Self.checkInside(storage, contents)
        #expect(try Self.pairs(snapshot, .forward) == expected, "a snapshot changed")
    }

    private static func checkIndex(_ snapshot: any StorageSnapshot, _ expected: [Pair]) throws {
        let entries = expected.sorted { left, right in
            let (first, second) = (left.value.count % 7, right.value.count % 7)
            return first == second
                ? left.key.lexicographicallyPrecedes(right.key) : first < second
        }
        for count in [nil, 1, 5, 1_000, .max] {
            #expect(try indexed(snapshot, .forward, expecting: count) == entries)
            #expect(try indexed(snapshot, .backward, expecting: count) == entries.reversed())
        }
    }

    /// In a transaction, with values of its own that are not written yet.
    private static func checkInside(
        _ storage: JournalStorage,
        _ contents: [Bytes: Bytes]
    ) async throws {
        let changes: [Pair] = contents.keys.sorted { $0.lexicographicallyPrecedes($1) }
            .enumerated().filter { $0.offset % 3 == 0 }
            .map { Pair(key: $0.element, value: Bytes(repeating: 7, count: $0.offset)) }
        var after = contents
        for change in changes { after[change.key] = change.value }
        let expected = sorted(after)
        _ = try await storage.write(.synced) { transaction in
            for change in changes { try transaction.put(change.value, for: change.key) }
            #expect(try pairs(transaction, .forward) == expected)
            #expect(try pairs(transaction, .backward) == expected.reversed())
            #expect(Set(try unordered(transaction)) == Set(expected))
            try checkIndex(transaction, expected)
        }
        #expect(try pairs(storage.snapshot(), .forward) == expected)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anUnreadableValueIsAnErrorAtItsTurnAndOfThatKeyAlone(seed: UInt64) async throws {
        let (store, storage, contents) = try await Self.world(seed: seed, cache: 0)
        let expected = Self.sorted(contents)
        let snapshot = try storage.snapshot()
        for position in stride(from: 0, to: expected.count, by: 9) {
            let victim = expected[position]
            guard victim.value.count > 16, let place = try Self.place(of: victim, in: store.disk)
            else { continue }
            try store.disk.flipBit(place.offset * 8, of: place.path)
            try await Self.expectFailure(at: position, snapshot, expected, .corruption)
            try store.disk.flipBit(place.offset * 8, of: place.path)
            let range = UInt64(place.offset)..<UInt64(place.offset + 1)
            store.disk.inject(
                DiskFault(
                    .error(.inputOutput),
                    on: [.read],
                    pathSuffix: place.path,
                    range: range,
                    times: nil
                )
            )
            try await Self.expectFailure(at: position, snapshot, expected, .inputOutput)
            store.disk.removeFaults()
        }
        #expect(try Self.pairs(snapshot, .forward) == expected)
    }

    private static func expectFailure(
        at position: Int,
        _ snapshot: any StorageSnapshot,
        _ expected: [Pair],
        _ expectedCode: StorageError.Code
    ) async throws {
        for _ in 1...2 {
            var seen: [Pair] = []
            let failure = await code {
                try snapshot.scan(.all, .forward) { key, value in
                    seen.append(Pair(key: Bytes(key), value: Bytes(value)))
                    return true
                }
            }
            #expect(failure == expectedCode)
            #expect(seen == Array(expected.prefix(position)))
            #expect(await code { _ = try unordered(snapshot) } == expectedCode)
            let indexed = await code {
                _ = try Self.indexed(snapshot, .forward, expecting: nil)
            }
            #expect(indexed == expectedCode)
        }
        let first = try pairs(snapshot, .forward, limit: position)
        #expect(first == Array(expected.prefix(position)), "the keys before it")
        let last = expected.count - position - 1
        #expect(
            try pairs(snapshot, .backward, limit: last) == Array(expected.reversed().prefix(last))
        )
    }

    /// A byte in the middle of a value, if its bytes stand in the files once.
    private static func place(
        of pair: Pair,
        in disk: SimulatedDisk
    ) throws -> (path: String, offset: Int)? {
        let entry = pair.key + pair.value
        var found: [(String, Int)] = []
        for path in disk.paths where path.hasSuffix(".segment") {
            let bytes = try disk.contents(of: path)
            var start = 0
            while let index = bytes[start...].firstIndex(of: entry[0]) {
                if bytes[index...].starts(with: entry) {
                    found.append((path, index + pair.key.count + pair.value.count / 2))
                }
                start = index + 1
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    @Test func aScanThatEndsEarlyReadsLittle() async throws {
        let store = TestStore()
        let storage = try await store.open()
        let count = 400
        _ = try await storage.write(.synced) { transaction in
            for number in 0..<count {
                try transaction.put(
                    Bytes(repeating: 1, count: 2_000),
                    for: Bytes("\(10_000 + number)".utf8)
                )
            }
        }
        try await storage.close()
        let reopened = try await store.open()
        let before = store.disk.counters.bytesRead
        #expect(try Self.pairs(reopened.snapshot(), .forward, limit: 3).count == 3)
        #expect(store.disk.counters.bytesRead - before <= 9 * 2_100)
    }
}

extension BatchedScanTests {
    private static func pairs(
        _ snapshot: any StorageSnapshot,
        _ direction: ScanDirection,
        limit: Int = .max
    ) throws -> [Pair] {
        var pairs: [Pair] = []
        guard limit > 0 else { return pairs }
        try snapshot.scan(.all, direction) { key, value in
            pairs.append(Pair(key: Bytes(key), value: Bytes(value)))
            return pairs.count < limit
        }
        return pairs
    }

    private static func unordered(_ snapshot: any StorageSnapshot) throws -> [Pair] {
        var pairs: [Pair] = []
        try snapshot.scanUnordered(.all) { key, value in
            pairs.append(Pair(key: Bytes(key), value: Bytes(value)))
            return true
        }
        return pairs
    }

    private static func indexed(
        _ snapshot: any StorageSnapshot,
        _ direction: ScanDirection,
        expecting count: Int?
    ) throws -> [Pair] {
        var pairs: [Pair] = []
        try snapshot.scanIndexValues("head", .all, direction, expecting: count) { _, key, value in
            pairs.append(Pair(key: Bytes(key), value: Bytes(value)))
            return true
        }
        return pairs
    }
}

extension [UInt8] {
    fileprivate init(_ span: RawSpan) { self = unsafe span.withUnsafeBytes { unsafe Array($0) } }
}
