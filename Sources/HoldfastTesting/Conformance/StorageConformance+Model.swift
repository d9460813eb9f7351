import HoldfastStorage

extension StorageConformance {
    static let modelChecks = (1...4 as ClosedRange<UInt64>).map { seed in
        Check("aRandomRunEqualsADictionary(seed: \(seed))") { store in
            var run = ModelRun(seed: seed)
            try await store.setIndexes([ModelRun.index])
            for _ in 0..<60 { try await run.step(on: store) }
        }
    }
}

/// A random run of transactions beside a dictionary that says what the store has to hold.
private struct ModelRun {
    /// Indexes a record under the first two bytes of its value.
    static let index = IndexDefinition(name: "head", version: 1) { _, value, emit in
        Bytes(Bytes(copying: value).prefix(2)).withRawSpan(emit)
    }

    private enum Operation {
        case put(Bytes, Bytes)
        case delete(Bytes)
        case attempt([Operation], fails: Bool)
    }

    private var generator: SplitMix64
    private var expected: [Bytes: Bytes] = [:]
    private var held: [(snapshot: any StorageSnapshot, expected: [Bytes: Bytes])] = []

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func step(on store: any Storage) async throws {
        let operations = operations(depth: 2)
        let fails = generator.next(below: 5) == 0
        var after = expected
        Self.apply(operations, to: &after)
        let inside = after
        do {
            try await store.commit { transaction in
                try Self.apply(operations, to: transaction)
                try Self.check(transaction, inside)
                if fails { throw DeliberateError() }
            }
            expected = after
        } catch is DeliberateError where fails {}
        try Self.check(store.snapshot(), expected)
        if generator.next(below: 6) == 0 { held.append((try store.snapshot(), expected)) }
        if generator.next(below: 12) == 0 { try releaseHeld() }
    }

    private mutating func releaseHeld() throws {
        for (snapshot, expected) in held { try Self.check(snapshot, expected) }
        held = []
    }

    private mutating func operations(depth: Int) -> [Operation] {
        (0..<generator.next(below: 12)).map { _ in
            switch generator.next(below: depth > 0 ? 10 : 9) {
            case 0..<6: .put(bytes(1 + generator.next(below: 3)), bytes(generator.next(below: 60)))
            case 6..<9: .delete(bytes(1 + generator.next(below: 3)))
            default: .attempt(operations(depth: depth - 1), fails: generator.next(below: 2) == 0)
            }
        }
    }

    private mutating func bytes(_ count: Int) -> Bytes {
        (0..<count).map { _ in UInt8([0, 1, 97, 255][generator.next(below: 4)]) }
    }

    private static func apply(_ operations: [Operation], to expected: inout [Bytes: Bytes]) {
        for operation in operations {
            switch operation {
            case .put(let key, let value): expected[key] = value
            case .delete(let key): expected[key] = nil
            case .attempt(let inner, let fails): if !fails { apply(inner, to: &expected) }
            }
        }
    }

    private static func apply(
        _ operations: [Operation],
        to transaction: any StorageTransaction
    ) throws {
        for operation in operations {
            switch operation {
            case .put(let key, let value): try transaction.put(key, value)
            case .delete(let key): try transaction.delete(key)
            case .attempt(let inner, let fails):
                do {
                    try transaction.attempt {
                        try apply(inner, to: transaction)
                        if fails { throw DeliberateError() }
                    }
                } catch is DeliberateError where fails {}
            }
        }
    }

    private static func check(
        _ snapshot: any StorageSnapshot,
        _ expected: [Bytes: Bytes]
    ) throws {
        let records = expected.map { Pair($0.key, $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        try expectEqual(snapshot.pairs(), records, "the records")
        try expectEqual(snapshot.count, records.count, "the count")
        for record in records {
            try expectEqual(snapshot.value(record.key), record.value, "a value")
        }
        let entries = records.map { Pair(Bytes($0.value.prefix(2)), $0.key) }
            .sorted { left, right in
                left.key == right.key
                    ? left.value.lexicographicallyPrecedes(right.value)
                    : left.key.lexicographicallyPrecedes(right.key)
            }
        try expectEqual(snapshot.entries("head"), entries, "the entries of the index")
        try checkValues(snapshot, records: records, entries: entries)
    }

    /// The scans that may read values in another order, or some at a time.
    private static func checkValues(
        _ snapshot: any StorageSnapshot,
        records: [Pair],
        entries: [Pair]
    ) throws {
        try expectEqual(snapshot.pairs(.all, .backward), records.reversed(), "the records backward")
        let unordered = try snapshot.unorderedPairs()
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        try expectEqual(unordered, records, "the records in any order")
        let values = Dictionary(uniqueKeysWithValues: records.map { ($0.key, $0.value) })
        let expected = entries.map { Pair($0.value, values[$0.value] ?? []) }
        for count in [nil, 2] {
            try expectEqual(
                snapshot.indexedPairs("head", .forward, expecting: count),
                expected,
                "the records by the index"
            )
        }
        try expectEqual(
            snapshot.indexedPairs("head", .backward, expecting: nil),
            expected.reversed(),
            "the records by the index, backward"
        )
    }
}
