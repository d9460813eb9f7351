import Holdfast
import Testing

/// Which commits an observation has to do with.
@Suite struct ObserverStateTests {
    private final class World {
        let storage: MemoryStorage
        let store: Store
        var state: ObserverState<JSONObject>
        /// What the last evaluation gave: `nil` when the result was the one before.
        var lastResult: [JSONObject]?
        let evaluation: QueryEvaluation<JSONObject>

        init(_ query: Query<JSONObject>, _ store: Store, _ storage: MemoryStorage) throws {
            self.store = store
            self.storage = storage
            evaluation = try QueryEvaluation(of: query, .object)
            state = ObserverState(of: evaluation)
            state.begin(at: try storage.snapshot())
            try evaluate()
        }

        static func make(_ query: Query<JSONObject>, records: Int64 = 10) async throws -> World {
            let storage = MemoryStorage()
            let store = try await Store(storage: storage)
            try await store.write { transaction in
                for number in 0..<records {
                    let id = String(number)
                    try transaction.put(
                        ["id": .string(id), "n": .integer(number), "kind": "a"],
                        in: "t"
                    )
                }
            }
            return try World(query, store, storage)
        }

        func evaluate() throws {
            guard case .evaluate(var window, let changed, let snapshot) = state.next() else {
                return
            }
            lastResult = try evaluation.update(&window, with: changed, in: snapshot)
            state.finish(window)
        }

        /// Whether a commit has the observation look at anything.
        func isTouched(
            by body: @Sendable (inout WriteTransaction) throws -> Void
        ) async throws -> Bool {
            let before = try store.sequenceNumber
            try await store.write { try body(&$0) }
            let changes = try storage.changes(after: before, limit: 1).flatMap(\.changes)
            state.note(changes.filter { $0.key.first != 0 }, upTo: try storage.snapshot())
            defer { try? evaluate() }
            return !state.isAtRest
        }
    }

    @Test func aCommitThatCannotChangeTheResultIsNotLookedAt() async throws {
        let query = Query("t").where("kind", .equals, "a").order(by: "n").limit(3)
        let world = try await World.make(query)
        let behind = try await world.isTouched { try $0.patch("7", in: "t", with: ["n": 70]) }
        let removed = try await world.isTouched { _ = try $0.delete("8", in: "t") }
        let other = try await world.isTouched { transaction in
            try transaction.put(["id": "x", "n": -1, "kind": "b"], in: "t")
        }
        let absent = try await world.isTouched { transaction in
            try transaction.put(["id": "y", "n": -1], in: "t")
        }
        #expect([behind, removed, other, absent] == [false, false, false, false])
    }

    @Test func aCommitThatCanChangeTheResultIsLookedAt() async throws {
        let query = Query("t").where("kind", .equals, "a").order(by: "n").limit(3)
        let world = try await World.make(query)
        let inside = try await world.isTouched { try $0.patch("1", in: "t", with: ["x": 1]) }
        let leaves = try await world.isTouched { try $0.patch("1", in: "t", with: ["kind": "b"]) }
        let enters = try await world.isTouched { try $0.patch("7", in: "t", with: ["n": 0]) }
        let removed = try await world.isTouched { _ = try $0.delete("0", in: "t") }
        #expect([inside, leaves, enters, removed] == [true, true, true, true])
    }

    @Test func aRecordThatIsWrittenAsItWasGivesNoResult() async throws {
        let world = try await World.make(Query("t").order(by: "n").limit(3))
        _ = try await world.isTouched { try $0.patch("1", in: "t", with: ["n": 1]) }
        #expect(world.lastResult == nil)
        _ = try await world.isTouched { try $0.patch("1", in: "t", with: ["n": 1.5]) }
        #expect(world.lastResult?.map { $0["n"] } == [0, 1.5, 2])
    }

    @Test func manyChangesBecomeOneLookAtAll() async throws {
        let world = try await World.make(Query("t").order(by: "n"))
        let isTouched = try await world.isTouched { transaction in
            for number in 0..<Int64(ChangedKeys.limit + 10) {
                try transaction.put(["id": .string("m\(number)"), "n": 5], in: "t")
            }
        }
        #expect(isTouched)
        let count = try world.store.read { try $0.count(of: "t") }
        let isAtRest = world.state.isAtRest
        #expect(isAtRest)
        #expect(count == ChangedKeys.limit + 20)
    }
}
