import HoldfastStorage

extension StorageConformance {
    static let recordChecks = [
        Check("aNewStoreIsEmpty", newStoreIsEmpty),
        Check("aPutValueIsReadBack", putValueIsReadBack),
        Check("aPutReplacesTheValue", putReplacesTheValue),
        Check("anEmptyValueIsNotAMissingOne", emptyValueIsNotAMissingOne),
        Check("aDeleteRemovesTheKeyAndSaysWhetherItWasThere", deleteRemovesTheKey),
        Check("keysAndValuesHoldAnyBytes", keysAndValuesHoldAnyBytes),
        Check("valuesOfEverySizeComeBack", valuesOfEverySizeComeBack),
        Check("keysUpToTheLimitAreTakenAndOthersRefused", keyLimitsHold),
        Check("everyDurabilityCommits", everyDurabilityCommits),
    ]

    private static func newStoreIsEmpty(_ store: any Storage) async throws {
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.count, 0, "the count of a new store")
        try expectEqual(snapshot.sequenceNumber, .zero, "the number of a new store")
        try expectEqual(snapshot.pairs(), [], "the records of a new store")
        try expectEqual(snapshot.value("a"), nil, "a value of a new store")
        try expectEqual(snapshot.indexNames, [], "the indexes of a new store")
        try expectEqual(store.changes(after: .zero, limit: 10), [], "the feed of a new store")
    }

    private static func putValueIsReadBack(_ store: any Storage) async throws {
        let number = try await store.commit(Pair("a", "1"), Pair("b", "2"))
        try expectEqual(number, SequenceNumber(1), "the number of the first commit")
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.sequenceNumber, number, "the snapshot's number")
        try expectEqual(snapshot.count, 2, "the count")
        try expectEqual(snapshot.value("a"), "1", "the value of a")
        try expectEqual(snapshot.value("b"), "2", "the value of b")
        try expectEqual(snapshot.value("c"), nil, "the value of a key that was never put")
        try expectEqual(snapshot.contains("a"), true, "whether a is there")
        try expectEqual(snapshot.contains("c"), false, "whether c is there")
    }

    private static func putReplacesTheValue(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"), Pair("a", "2"))
        try expectEqual(store.snapshot().value("a"), "2", "the later value of one transaction")
        try await store.commit(Pair("a", "a longer value than before"))
        try expectEqual(
            store.snapshot().pairs(),
            [Pair("a", "a longer value than before")],
            "the records"
        )
        try await store.commit(Pair("a", ""))
        try expectEqual(store.snapshot().count, 1, "the count after replacing")
    }

    private static func emptyValueIsNotAMissingOne(_ store: any Storage) async throws {
        try await store.commit(Pair("a", ""))
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.value("a"), "", "the empty value")
        try expectEqual(snapshot.contains("a"), true, "whether the key is there")
        try expectEqual(snapshot.pairs(), [Pair("a", "")], "the records")
        let changes = try store.changes(after: .zero, limit: 1).flatMap(\.changes)
        try expectEqual(changes, [Change(key: Bytes("a"), value: [])], "the change")
    }

    private static func deleteRemovesTheKey(_ store: any Storage) async throws {
        try await store.commit(Pair("a", "1"), Pair("b", "2"))
        try await store.commit { transaction in
            try expectEqual(transaction.delete("a"), true, "whether a was there")
            try expectEqual(transaction.delete("a"), false, "whether a was still there")
            try expectEqual(transaction.delete("c"), false, "whether c was there")
        }
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.value("a"), nil, "the value of a deleted key")
        try expectEqual(snapshot.contains("a"), false, "whether a deleted key is there")
        try expectEqual(snapshot.pairs(), [Pair("b", "2")], "the records")
        try await store.commit(Pair("a", "3"))
        try expectEqual(store.snapshot().value("a"), "3", "the value put after a delete")
    }

    private static func keysAndValuesHoldAnyBytes(_ store: any Storage) async throws {
        let every = (0...255).map { UInt8($0) }
        let keys = every.map { [$0] } + every.map { [$0, 0, 255 - $0] } + [every]
        try await store.commit { transaction in
            for key in keys { try transaction.put(key, key.reversed()) }
        }
        let snapshot = try store.snapshot()
        for key in keys {
            try expectEqual(snapshot.value(key), key.reversed(), "the value of \(key)")
        }
    }

    private static func valuesOfEverySizeComeBack(_ store: any Storage) async throws {
        let sizes = [
            0, 1, 7, 253, 254, 255, 256, 1_023, 1_024, 1_025, 4_095, 4_096, 65_537, 1 << 20,
        ]
        try await store.commit { transaction in
            for size in sizes {
                try transaction.put(
                    Bytes("\(size)"),
                    Bytes(repeating: UInt8(size % 251), count: size)
                )
            }
        }
        let snapshot = try store.snapshot()
        for size in sizes {
            let value = try snapshot.value(Bytes("\(size)"))
            try expect(
                value == Bytes(repeating: UInt8(size % 251), count: size),
                "a value of \(size) bytes came back as one of \(value?.count ?? -1)"
            )
        }
    }

    private static func keyLimitsHold(_ store: any Storage) async throws {
        let longest = Bytes(repeating: 107, count: StorageLimits.keyBytes)
        try await store.commit { transaction in
            try transaction.put([0], [1])
            try transaction.put(longest, [2])
            try expectError(.invalidKey, "an empty key") { try transaction.put([], [3]) }
            try expectError(.invalidKey, "a key above the limit") {
                try transaction.put(longest + [107], [4])
            }
            try expectEqual(transaction.count, 2, "the count after refused keys")
            try transaction.put([1], [5])
        }
        let snapshot = try store.snapshot()
        let expected = [Pair([0], [1]), Pair([1], [5]), Pair(longest, [2])]
        try expect(snapshot.pairs() == expected, "the transaction did not go on as it was")
        try expectEqual(snapshot.value([]), nil, "the value of an empty key")
        try expectEqual(snapshot.value(longest + [107]), nil, "the value of a key above the limit")
    }

    private static func everyDurabilityCommits(_ store: any Storage) async throws {
        for (index, durability) in Durability.allCases.enumerated() {
            let number = try await store.commit(durability) { try $0.put("\(durability)", "x") }
            try expectEqual(number.rawValue, UInt64(index + 1), "the number of a commit")
            let snapshot = try store.snapshot()
            try expectEqual(snapshot.sequenceNumber, number, "what is published on return")
            try expectEqual(snapshot.value("\(durability)"), "x", "a \(durability) commit's value")
        }
    }
}
