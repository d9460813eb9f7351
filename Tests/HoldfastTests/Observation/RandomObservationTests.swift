import Holdfast
import HoldfastTesting
import Synchronization
import Testing

/// S23: a watch that started before, during or after a commit: at rest its last value is what a fresh
/// query gives.
@Suite(.timeLimit(.minutes(1))) struct RandomObservationTests {
    @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64])
    func atRestTheLastValueEqualsAFreshQuery(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let store = try await Store(storage: MemoryStorage())
        if Bool.random(using: &random) {
            try await store.createIndex(Index(fields: ["n"]), on: "t")
        }
        let queries = (0..<8).map { _ in Self.query(&random) }
        let seeds = (0..<3).map { _ in random.next() }
        let seen = queries.map { _ in LastValue() }
        let pauses = queries.map { _ in Int.random(in: 0..<40, using: &random) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, query) in queries.enumerated() {
                group.addTask {
                    for _ in 0..<pauses[number] { await Task.yield() }
                    for try await rows in store.values(query) { seen[number].take(rows, seed) }
                }
            }
            try await Self.write(60, to: store, seeds)
            for (number, query) in queries.enumerated() {
                let fresh = try store.read { try $0.fetch(query) }
                // A value that never comes ends the test at its time limit.
                while seen[number].rows != fresh { await Task.yield() }
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result { #expect(error is CancellationError) }
            }
        }
        #expect(store.observerCount == 0)
    }

    private static func write(_ count: Int, to store: Store, _ seeds: [UInt64]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds {
                group.addTask { try await write(count, to: store, seed: seed) }
            }
            try await group.waitForAll()
        }
    }

    private static func write(_ count: Int, to store: Store, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<count {
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (
                    id: RecordID(Int64.random(in: 0..<30, using: &random)),
                    number: Int64.random(in: 0..<12, using: &random),
                    kind: Int64.random(in: 0..<3, using: &random),
                    isDeleted: Int.random(in: 0..<4, using: &random) == 0
                )
            }
            try await store.write { transaction in
                for step in steps {
                    if step.isDeleted {
                        try transaction.delete(step.id, in: "t")
                    } else {
                        try transaction.put(
                            ["n": .integer(step.number), "kind": .integer(step.kind)],
                            in: "t",
                            id: step.id
                        )
                    }
                }
            }
        }
    }

    private static func query(_ random: inout SplitMix64) -> Query<JSONObject> {
        var query = Query("t")
        if Bool.random(using: &random) {
            query = query.where("kind", .isAtMost, .integer(.random(in: 0..<3, using: &random)))
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            query = query.order(by: "n", Bool.random(using: &random) ? .ascending : .descending)
        }
        let limit = Int.random(in: 0..<12, using: &random)
        return limit == 11 ? query : query.limit(limit)
    }
}

/// The last value of an observation.
private final class LastValue: Sendable {
    private let last = Mutex<[JSONObject]?>(nil)

    var rows: [JSONObject]? { last.withLock { $0 } }

    func take(_ rows: [JSONObject], _ seed: UInt64) {
        let before = last.withLock { last in
            defer { last = rows }
            return last
        }
        #expect(before != rows, "seed \(seed): a value came that equals the one before")
    }
}
