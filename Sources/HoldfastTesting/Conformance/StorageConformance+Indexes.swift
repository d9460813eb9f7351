import HoldfastStorage

extension StorageConformance {
    static let indexChecks = [
        Check("anIndexIsBuiltFromTheRecordsThatAreThere", indexIsBuilt),
        Check("anIndexFollowsEveryWrite", indexFollowsWrites),
        Check("anIndexOrdersByIndexKeyThenByRecordKey", indexOrdersEntries),
        Check("aRecordMayHaveManyIndexKeysEachCountingOnce", recordHasManyIndexKeys),
        Check("anIndexCoversOnlyItsRange", indexCoversItsRange),
        Check("anIndexOfAnotherVersionIsRebuilt", otherVersionIsRebuilt),
        Check("anIndexThatIsNoLongerNamedIsDropped", unnamedIndexIsDropped),
        Check("anUnknownIndexIsAnError", unknownIndexIsAnError),
        Check("rollingBackTakesTheIndexBack", rollbackTakesIndexBack),
        Check("indexKeysAboveTheLimitAreCut", longIndexKeysAreCut),
        Check("scansOfAnIndexEndAndPassErrorsOn", indexScansEnd),
    ]

    /// Indexes a record under its whole value.
    private static func valueIndex(
        _ name: String = "value",
        version: UInt32 = 1,
        range: KeyRange = .all
    ) -> IndexDefinition {
        IndexDefinition(name: name, version: version, range: range) { _, value, emit in
            emit(value)
        }
    }

    /// Indexes a record under each byte of its value.
    private static let byteIndex = IndexDefinition(name: "byte", version: 1) { _, value, emit in
        for byte in Bytes(copying: value) { [byte].withRawSpan(emit) }
    }

    private static func indexIsBuilt(_ store: any Storage) async throws {
        try await store.commit(Pair("1", "b"), Pair("2", "a"), Pair("3", "b"))
        try await store.setIndexes([valueIndex()])
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.indexNames, ["value"], "the names of the indexes")
        let expected = [Pair("a", "2"), Pair("b", "1"), Pair("b", "3")]
        try expectEqual(snapshot.entries("value"), expected, "the entries")
        try expectEqual(snapshot.sequenceNumber.rawValue, 1, "the number: an index is no commit")
        try expectEqual(store.changes(after: SequenceNumber(1), limit: 9), [], "the feed")
    }

    private static func indexFollowsWrites(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex()])
        try await store.commit(Pair("1", "b"), Pair("2", "a"))
        let before = try store.snapshot()
        try await store.commit { transaction in
            try transaction.put("1", "c")
            try transaction.put("3", "a")
            try transaction.delete("2")
            try transaction.put("4", "d")
            try transaction.delete("4")
            let expected = [Pair("a", "3"), Pair("c", "1")]
            try expectEqual(transaction.entries("value"), expected, "the entries inside")
            let records = try transaction.records("value", at: Bytes("a"))
            try expectEqual(records, [Bytes("3")], "the records of one key inside")
            try expectEqual(transaction.countIndex("value", in: .all), 2, "their count inside")
            try expectEqual(transaction.indexNames, ["value"], "the names inside")
        }
        let after = try store.snapshot()
        try expectEqual(after.entries("value"), [Pair("a", "3"), Pair("c", "1")], "the entries")
        try expectEqual(
            before.entries("value"),
            [Pair("a", "2"), Pair("b", "1")],
            "an old snapshot's entries"
        )
        try await store.commit(Pair("3", "a"))
        try expectEqual(
            store.snapshot().entries("value"),
            [Pair("a", "3"), Pair("c", "1")],
            "the same again"
        )
    }

    private static func indexOrdersEntries(_ store: any Storage) async throws {
        let values: [Bytes] = [
            [], [0], [0, 0], [0, 1], [0, 255], [1], [1, 0], [1, 0, 1], [1, 1], [2], [255],
            [255, 255],
        ]
        let keys: [Bytes] = [[0], [0, 1], [1], [255], [255, 0]]
        try await store.setIndexes([valueIndex(range: .all)])
        let records = values.flatMap { value in keys.map { Pair(value + [9] + $0, value) } }
        var generator = SplitMix64(seed: 3)
        let shuffled = records.shuffled(using: &generator)
        try await store.commit { transaction in
            for record in shuffled { try transaction.put(record.key, record.value) }
        }
        let entries = records.map { Pair($0.value, $0.key) }
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.entries("value"), entries, "the entries in order")
        try expectEqual(
            snapshot.entries("value", .all, .backward),
            entries.reversed(),
            "the entries backward"
        )
        for lower in values {
            for upper in values.map(Optional.some) + [nil] {
                let range = KeyRange(from: lower, upTo: upper)
                try expectRange(range, of: entries, in: snapshot)
            }
        }
        for value in values { try expectRecords(under: value, of: entries, in: snapshot) }
    }

    private static func expectRecords(
        under value: Bytes,
        of entries: [Pair],
        in snapshot: any StorageSnapshot
    ) throws {
        let keys = entries.filter { $0.key == value }.map(\.value)
        let bounds = keys + keys.map { $0 + [0] } + [[]]
        for lower in bounds {
            for upper in bounds.map(Optional.some) + [nil] {
                let range = KeyRange(from: lower, upTo: upper)
                let expected = keys.filter { key in
                    !key.lexicographicallyPrecedes(lower)
                        && (upper.map(key.lexicographicallyPrecedes) ?? true)
                }
                try expectEqual(
                    snapshot.records("value", at: value, range),
                    expected,
                    "the records of \(range) under one index key"
                )
                try expectEqual(
                    snapshot.records("value", at: value, range, .backward),
                    expected.reversed(),
                    "the records of \(range) under one index key, backward"
                )
            }
        }
    }

    private static func expectRange(
        _ range: KeyRange,
        of entries: [Pair],
        in snapshot: any StorageSnapshot
    ) throws {
        let expected = entries.filter { entry in
            !entry.key.lexicographicallyPrecedes(range.lower)
                && (range.upper.map(entry.key.lexicographicallyPrecedes) ?? true)
        }
        try expectEqual(snapshot.entries("value", range), expected, "the entries of \(range)")
        try expectEqual(
            snapshot.entries("value", range, .backward),
            expected.reversed(),
            "\(range) backward"
        )
        try expectEqual(
            snapshot.countIndex("value", in: range),
            expected.count,
            "the count of \(range)"
        )
    }

    private static func recordHasManyIndexKeys(_ store: any Storage) async throws {
        try await store.setIndexes([byteIndex])
        try await store.commit(Pair("1", "abba"), Pair("2", ""), Pair("3", "b"))
        let first = [Pair("a", "1"), Pair("b", "1"), Pair("b", "3")]
        try expectEqual(store.snapshot().entries("byte"), first, "the entries")
        try await store.commit(Pair("1", "bcb"), Pair("3", ""))
        let second = [Pair("b", "1"), Pair("c", "1")]
        try expectEqual(store.snapshot().entries("byte"), second, "the entries after a change")
        try await store.commit { try $0.delete("1") }
        try expectEqual(store.snapshot().entries("byte"), [], "the entries after a delete")
    }

    private static func indexCoversItsRange(_ store: any Storage) async throws {
        try await store.commit(Pair("a1", "x"), Pair("b1", "x"))
        try await store.setIndexes([
            valueIndex("a", range: .prefix(Bytes("a"))),
            valueIndex("b", range: .prefix(Bytes("b"))),
        ])
        try await store.commit(Pair("a2", "y"), Pair("b2", "y"), Pair("c", "z"))
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.indexNames.sorted(), ["a", "b"], "the names of the indexes")
        try expectEqual(snapshot.entries("a"), [Pair("x", "a1"), Pair("y", "a2")], "entries of a")
        try expectEqual(snapshot.entries("b"), [Pair("x", "b1"), Pair("y", "b2")], "entries of b")
    }

    private static func otherVersionIsRebuilt(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex()])
        try await store.commit(Pair("1", "a"), Pair("2", "b"))
        let before = try store.snapshot()
        let reversed = IndexDefinition(name: "value", version: 2) { key, _, emit in emit(key) }
        try await store.setIndexes([reversed])
        try await store.commit(Pair("3", "c"))
        let expected = [Pair("1", "1"), Pair("2", "2"), Pair("3", "3")]
        try expectEqual(store.snapshot().entries("value"), expected, "the rebuilt entries")
        try expectEqual(
            before.entries("value"),
            [Pair("a", "1"), Pair("b", "2")],
            "an old snapshot's entries"
        )
    }

    private static func unnamedIndexIsDropped(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex(), byteIndex])
        try await store.commit(Pair("1", "a"))
        try await store.setIndexes([byteIndex])
        try await store.commit(Pair("2", "a"))
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.indexNames, ["byte"], "the names of the indexes")
        try expectError(.unknownIndex, "a dropped index") { _ = try snapshot.entries("value") }
        try expectEqual(snapshot.entries("byte"), [Pair("a", "1"), Pair("a", "2")], "the others")
        try await store.setIndexes([valueIndex()])
        let rebuilt = [Pair("a", "1"), Pair("a", "2")]
        try expectEqual(store.snapshot().entries("value"), rebuilt, "an index declared again")
    }

    private static func unknownIndexIsAnError(_ store: any Storage) async throws {
        let snapshot = try store.snapshot()
        try expectError(.unknownIndex, "a scan") { _ = try snapshot.entries("none") }
        try expectError(.unknownIndex, "one key") { _ = try snapshot.records("none", at: [1]) }
        try expectError(.unknownIndex, "a count") { _ = try snapshot.countIndex("none", in: .all) }
        try await store.commit { transaction in
            try expectError(.unknownIndex, "a scan inside") { _ = try transaction.entries("none") }
        }
    }

    private static func rollbackTakesIndexBack(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex()])
        try await store.commit(Pair("1", "a"))
        try await expectDeliberateError {
            try await store.commit { transaction in
                try transaction.put("1", "b")
                throw DeliberateError()
            }
        }
        try expectEqual(store.snapshot().entries("value"), [Pair("a", "1")], "after a rollback")
        try await store.commit { transaction in
            try? transaction.attempt {
                try transaction.put("1", "c")
                try transaction.put("2", "c")
                throw DeliberateError()
            }
            try expectEqual(transaction.entries("value"), [Pair("a", "1")], "after an attempt")
            try transaction.put("3", "d")
        }
        let expected = [Pair("a", "1"), Pair("d", "3")]
        try expectEqual(store.snapshot().entries("value"), expected, "the entries")
    }

    private static func longIndexKeysAreCut(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex()])
        let longest = Bytes(repeating: 0, count: StorageLimits.indexKeyBytes)
        try await store.commit { transaction in
            try transaction.put(Bytes("1"), longest + [1])
            try transaction.put(Bytes("2"), longest)
            try transaction.put(Bytes("3"), longest + [0, 2])
        }
        let expected = ["1", "2", "3"].map { Pair(longest, Bytes($0)) }
        try expect(store.snapshot().entries("value") == expected, "long index keys were not cut")
        try expectEqual(
            store.snapshot().records("value", at: longest + [7], KeyRange(from: Bytes("2"))),
            [Bytes("2"), Bytes("3")],
            "the records under a long index key"
        )
        try await store.commit { transaction in
            try transaction.put(Bytes("1"), longest + [9])
            try transaction.delete("2")
        }
        let kept = ["1", "3"].map { Pair(longest, Bytes($0)) }
        try expect(store.snapshot().entries("value") == kept, "cut index keys were not maintained")
    }

    private static func indexScansEnd(_ store: any Storage) async throws {
        try await store.setIndexes([valueIndex()])
        try await store.commit(Pair("1", "a"), Pair("2", "b"), Pair("3", "c"))
        let snapshot = try store.snapshot()
        var visited: [Bytes] = []
        try snapshot.scanIndex("value", .all, .backward) { indexKey, _ in
            visited.append(Bytes(copying: indexKey))
            return visited.count < 2
        }
        try expectEqual(visited, [Bytes("c"), Bytes("b")], "the entries visited")
        try expectDeliberateError(4) {
            try snapshot.scanIndex("value", .all, .forward) { _, _ in
                throw DeliberateError(number: 4)
            }
        }
        try expectDeliberateError(5) {
            try snapshot.scanIndex("value", at: Bytes("b"), .all, .forward) { _ in
                throw DeliberateError(number: 5)
            }
        }
    }
}
