import Holdfast
import HoldfastTesting
import Synchronization
import Testing

/// S23: a watch that started before, during or after a commit: at rest its last value is what a fresh
/// query gives.
@Suite(.timeLimit(.minutes(20))) struct RandomObservationTests {
    @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64])
    func atRestTheLastValueEqualsAFreshQuery(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let store = try await Store(storage: MemoryStorage())
        if Bool.random(using: &random) {
            try await store.createIndex(Index(fields: ["n"]), on: "t")
        }
        let questions = (0..<8).map { _ in Self.question(&random) }
        let seeds = (0..<3).map { _ in random.next() }
        let seen = questions.map { _ in LastValue() }
        let pauses = questions.map { _ in Int.random(in: 0..<40, using: &random) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, question) in questions.enumerated() {
                let query = question.query
                group.addTask {
                    for _ in 0..<pauses[number] { await Task.yield() }
                    for try await rows in store.values(query) { seen[number].take(rows, seed) }
                }
            }
            try await Self.write(60, to: store, seeds)
            for (number, question) in questions.enumerated() {
                let fresh = try store.read { try $0.fetch(question.query) }
                // A value that never comes ends the test at its time limit.
                while seen[number].rows != fresh { await Task.yield() }
            }
            let history = try History(of: store)
            for (number, question) in questions.enumerated() {
                #expect(history.holds(seen[number].all, of: question), "seed \(seed): \(question)")
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result { #expect(error is CancellationError) }
            }
        }
        #expect(store.observerCount == 0)
    }

    @Test func noValueMixesTwoStates() async throws {
        let store = try await Store(storage: MemoryStorage())
        try await store.write { transaction in
            for number in 0..<10 as Range<Int64> {
                try transaction.put(["id": .integer(number), "money": 100], in: "accounts")
            }
        }
        let watching = Task {
            for try await accounts in store.values(Query("accounts")) {
                let sum = accounts.compactMap { $0["money"]?.integerValue }.reduce(0, +)
                #expect(sum == 1_000)
                if accounts.contains(where: { $0["isLast"] == true }) { return }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<4 as Range<UInt64> {
                group.addTask { try await Self.transfer(100, in: store, seed: seed) }
            }
            try await group.waitForAll()
        }
        try await store.write { try $0.patch("0", in: "accounts", with: ["isLast": true]) }
        try await watching.value
    }

    private static func transfer(_ count: Int, in store: Store, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<count {
            let ids = Array((0..<10 as Range<Int64>).shuffled(using: &random).prefix(2))
            try await store.write { transaction in
                for (id, change) in zip(ids, [-1, 1] as [Int64]) {
                    let account = try transaction.get(RecordID(id), in: "accounts")
                    let money = (account?["money"]?.integerValue ?? 0) + change
                    try transaction.patch(
                        RecordID(id),
                        in: "accounts",
                        with: ["money": .integer(money)]
                    )
                }
            }
        }
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

    private static func question(_ random: inout SplitMix64) -> Question {
        let kind = ModelFilter.condition(
            "kind",
            .isAtMost,
            .integer(.random(in: 0..<3, using: &random))
        )
        let number = ModelFilter.condition("n", .isIn, [1, 3, 5, 7])
        let filters: [[ModelFilter]] = [
            [], [kind], [.any([kind, number])], [.not(number)], [kind, number],
        ]
        var order: [FieldOrder] = []
        if Int.random(in: 0..<4, using: &random) > 0 {
            let isUp = Bool.random(using: &random)
            order.append(FieldOrder(field: "n", direction: isUp ? .ascending : .descending))
        }
        let limit = Int.random(in: 0..<12, using: &random)
        return Question(
            naive: NaiveQuery(
                idField: "id",
                filters: filters[Int.random(in: 0..<filters.count, using: &random)],
                order: order
            ),
            limit: limit == 11 ? nil : limit
        )
    }
}

/// A query, and how to answer it by brute force.
private struct Question: Sendable {
    let naive: NaiveQuery
    let limit: Int?

    var query: Query<JSONObject> {
        var query = Query("t").limit(limit)
        for filter in naive.filters { query = query.filter(filter.filter) }
        for step in naive.order { query = query.order(by: step.field, step.direction) }
        return query
    }

    func rows(over records: [JSONObject]) -> [JSONObject] {
        Array(naive.rows(over: records).prefix(limit ?? .max))
    }
}

/// The values of an observation.
private final class LastValue: Sendable {
    private let values = Mutex<[[JSONObject]]>([])

    var rows: [JSONObject]? { values.withLock { $0.last } }

    var all: [[JSONObject]] { values.withLock { $0 } }

    func take(_ rows: [JSONObject], _ seed: UInt64) {
        let before = values.withLock { values in
            defer { values.append(rows) }
            return values.last
        }
        #expect(before != rows, "seed \(seed): a value came that equals the one before")
    }
}

/// Every state that a table has been in, from the change feed.
private struct History {
    private var states: [[JSONObject]] = [[]]

    init(of store: Store) throws {
        var records: [RecordID: JSONObject] = [:]
        for commit in try store.commits(after: .zero, limit: .max) {
            for change in commit.changes where change.table == "t" {
                records[change.id] = change.record
            }
            states.append(Array(records.values))
        }
    }

    /// Whether each value was the result at some commit, one after the other.
    func holds(_ values: [[JSONObject]], of question: Question) -> Bool {
        var rest = states[...]
        for value in values {
            let match = rest.firstIndex {
                question.rows(over: $0) == value
            }
            guard let match else { return false }
            rest = rest[match...]
        }
        return true
    }
}
