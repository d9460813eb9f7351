import HoldfastStorage

extension StorageConformance {
    static let scanChecks = [
        Check("keysOrderAsUnsignedBytesAPrefixBeforeItsExtensions", keysAreOrdered),
        Check("scansVisitExactlyTheirRangeInBothDirections", rangesAreExact),
        Check("aScanEndsWhenItsVisitorSaysSo", scanEndsWhenToldTo),
        Check("aScanPassesTheErrorOfItsVisitorOn", scanPassesErrorsOn),
        Check("anUnorderedScanVisitsItsRangeOnceAndEndsWhenToldTo", unorderedScanIsWhole),
        Check("countsOfRangesAreExact", countsAreExact),
    ]

    private static let orderedKeys: [Bytes] = [
        [0], [0, 0], [0, 255], [1], [1, 0], [1, 1, 1], [2], [97], [97, 0], [97, 97], [127], [128],
        [254, 255], [255], [255, 0], [255, 255], [255, 255, 255],
    ]

    private static func fill(_ store: any Storage) async throws {
        var generator = SplitMix64(seed: 7)
        let shuffled = orderedKeys.shuffled(using: &generator)
        try await store.commit { transaction in
            for key in shuffled { try transaction.put(key, key + key) }
        }
    }

    private static func keysAreOrdered(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.keys(), orderedKeys, "the keys in order")
        try expectEqual(snapshot.keys(.all, .backward), orderedKeys.reversed(), "the keys backward")
        try expectEqual(
            snapshot.pairs(),
            orderedKeys.map { Pair($0, $0 + $0) },
            "the records in order"
        )
    }

    private static var ranges: [KeyRange] {
        let bounds = [[]] + orderedKeys + [[3], [97, 1], [200]]
        let pairs = bounds.flatMap { lower in
            bounds.map { KeyRange(from: lower, upTo: $0) } + [KeyRange(from: lower)]
        }
        return pairs + orderedKeys.map(KeyRange.prefix) + orderedKeys.map(KeyRange.exactly)
    }

    private static func keys(in range: KeyRange) -> [Bytes] {
        orderedKeys.filter { key in
            !key.lexicographicallyPrecedes(range.lower)
                && (range.upper.map(key.lexicographicallyPrecedes) ?? true)
        }
    }

    private static func rangesAreExact(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        for range in ranges {
            let expected = keys(in: range)
            try expectEqual(snapshot.keys(range), expected, "the keys of \(range)")
            try expectEqual(
                snapshot.keys(range, .backward),
                expected.reversed(),
                "\(range) backward"
            )
            let pairs = expected.map { Pair($0, $0 + $0) }
            try expectEqual(snapshot.pairs(range), pairs, "the records of \(range)")
            try expectEqual(
                snapshot.pairs(range, .backward),
                pairs.reversed(),
                "the records backward"
            )
        }
    }

    private static func scanEndsWhenToldTo(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        for limit in 1...orderedKeys.count {
            let first = try snapshot.pairs(.all, .forward, limit: limit).map(\.key)
            try expectEqual(first, Array(orderedKeys.prefix(limit)), "the first \(limit) keys")
            let last = try snapshot.pairs(.all, .backward, limit: limit).map(\.key)
            try expectEqual(last, orderedKeys.suffix(limit).reversed(), "the last \(limit) keys")
        }
        var visited = 0
        try snapshot.scanKeys(.all, .forward) { _ in
            visited += 1
            return visited < 3
        }
        try expectEqual(visited, 3, "the keys visited before the end that was asked for")
    }

    private static func scanPassesErrorsOn(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        var visited = 0
        try expectDeliberateError(1) {
            try snapshot.scan(.all, .forward) { _, _ in
                visited += 1
                if visited == 2 { throw DeliberateError(number: 1) }
                return true
            }
        }
        try expectDeliberateError(2) {
            try snapshot.scanKeys(.all, .backward) { _ in throw DeliberateError(number: 2) }
        }
        try expectEqual(visited, 2, "the keys visited before the error")
    }

    private static func unorderedScanIsWhole(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        for range in ranges {
            let visited = try snapshot.unorderedPairs(range).map(\.key)
                .sorted { $0.lexicographicallyPrecedes($1) }
            try expectEqual(visited, keys(in: range), "the keys of \(range), in any order")
        }
        try expectEqual(snapshot.unorderedPairs(limit: 3).count, 3, "the keys before an end")
        try expectDeliberateError(3) {
            try snapshot.scanUnordered(.all) { _, _ in throw DeliberateError(number: 3) }
        }
    }

    private static func countsAreExact(_ store: any Storage) async throws {
        try await fill(store)
        let snapshot = try store.snapshot()
        try expectEqual(snapshot.count, orderedKeys.count, "the count of all keys")
        for range in ranges {
            try expectEqual(
                snapshot.count(in: range),
                keys(in: range).count,
                "the count in \(range)"
            )
        }
    }
}
