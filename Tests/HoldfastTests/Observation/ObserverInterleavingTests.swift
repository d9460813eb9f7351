import Holdfast
import HoldfastStorage
import Testing

/// Every order in which commits, their telling, and the two halves of an evaluation can follow each
/// other, over a small world.
@Suite struct ObserverInterleavingTests {
    private typealias State = ObserverState<JSONObject>
    private typealias Evaluation = QueryEvaluation<JSONObject>

    private enum Move: CaseIterable {
        case putFirst, putLast, moveAway, remove, tell, begin, run, finish
    }

    /// Where a consumer stands in its evaluation.
    private enum Stage: ~Copyable {
        case idle
        case begun(QueryWindow<JSONObject>, ChangedKeys, any StorageSnapshot)
        /// With the result that is shown once it has finished, if it is another one, and the one that
        /// a fresh query of the same snapshot gives.
        case ran(QueryWindow<JSONObject>, [JSONObject]?, fresh: [JSONObject])
    }

    /// One observation under the test's own hands.
    private final class World {
        let storage: MemoryStorage
        let store: Store
        let query: Query<JSONObject>
        let evaluation: Evaluation
        var state: State
        var stage = Stage.idle
        /// The snapshots of the commits that have not been told.
        var untold: [any StorageSnapshot] = []
        var told: SequenceNumber
        /// The result that a consumer has now.
        var shown: [JSONObject] = []
        /// Whether every result was the one of a snapshot.
        var isTrue = true

        init(_ store: Store, _ storage: MemoryStorage, limit: Int?, slack: Int) throws {
            self.store = store
            self.storage = storage
            query = Query("t").where("n", .isGreater, 0).order(by: "n").limit(limit)
            evaluation = try Evaluation(of: query, .object, slack: slack)
            state = State(of: evaluation)
            let snapshot = try storage.snapshot()
            state.begin(at: snapshot)
            told = snapshot.sequenceNumber
        }

        static func make(limit: Int?, slack: Int) async throws -> World {
            let storage = MemoryStorage()
            let store = try await Store(storage: storage)
            try await store.write { transaction in
                for number in 1...3 as ClosedRange<Int64> {
                    try transaction.put(
                        ["id": .string("\(number)"), "n": .integer(number * 10)],
                        in: "t"
                    )
                }
            }
            return try World(store, storage, limit: limit, slack: slack)
        }

        /// - Returns: Whether the move can be made here.
        func make(_ move: Move, _ step: Int) async throws -> Bool {
            switch move {
            case .putFirst: try await put("2", Int64(1 + step))
            case .putLast: try await put("1", Int64(40 + step))
            case .moveAway: try await put("2", -1)
            case .remove:
                try await store.write { _ = try $0.delete("3", in: "t") }
                untold.append(try storage.snapshot())
            case .tell: return try tell()
            case .begin, .run, .finish: return try evaluate(move)
            }
            return true
        }

        private func evaluate(_ move: Move) throws -> Bool {
            var before = Stage.idle
            swap(&before, &stage)
            switch consume before {
            case .idle:
                guard move == .begin else { return false }
                guard case .evaluate(let window, let changed, let snapshot) = state.next() else {
                    return false
                }
                stage = .begun(window, changed, snapshot)
            case .begun(var window, let changed, let snapshot):
                guard move == .run else {
                    stage = .begun(window, changed, snapshot)
                    return false
                }
                let result = try evaluation.update(&window, with: changed, in: snapshot)
                stage = .ran(window, result, fresh: try fresh(in: snapshot))
            case .ran(let window, let result, let fresh):
                guard move == .finish else {
                    stage = .ran(window, result, fresh: fresh)
                    return false
                }
                state.finish(window)
                shown = result ?? shown
                isTrue = isTrue && shown == fresh
            }
            return true
        }

        private func put(_ id: String, _ number: Int64) async throws {
            try await store.write { transaction in
                _ = try transaction.put(["id": .string(id), "n": .integer(number)], in: "t")
            }
            untold.append(try storage.snapshot())
        }

        /// Tells one commit, however many there are.
        private func tell() throws -> Bool {
            guard let snapshot = untold.first else { return false }
            let changes = try storage.changes(after: told, limit: .max)
                .filter { $0.sequenceNumber <= snapshot.sequenceNumber }.flatMap(\.changes)
            state.note(changes.filter { $0.key.first != 0 }, upTo: snapshot)
            told = snapshot.sequenceNumber
            untold.removeFirst()
            return true
        }

        private func fresh(in snapshot: any StorageSnapshot) throws -> [JSONObject] {
            var state = State(of: evaluation)
            state.begin(at: snapshot)
            guard case .evaluate(var window, let changed, let snapshot) = state.next() else {
                return []
            }
            return try evaluation.update(&window, with: changed, in: snapshot) ?? []
        }

        /// Makes the moves that are always made in the end.
        func comeToRest() async throws {
            while try tell() {}
            while !state.isAtRest {
                for move in [Move.begin, .run, .finish] { _ = try await make(move, 0) }
            }
        }
    }

    @Test(arguments: [(1, 0, 4), (2, 0, 4), (nil, 0, 4), (2, 1, 5)] as [(Int?, Int, Int)])
    func whereverTheyInterleaveEveryResultIsASnapshotsAndTheLastTheNewest(
        limit: Int?,
        slack: Int,
        depth: Int
    ) async throws {
        var count = 0
        var path: [Move] = []
        try await explore(&path, depth: depth, limit, slack, &count)
        #expect(count > 500)
    }

    private func explore(
        _ path: inout [Move],
        depth: Int,
        _ limit: Int?,
        _ slack: Int,
        _ count: inout Int
    ) async throws {
        for move in Move.allCases {
            path.append(move)
            defer { path.removeLast() }
            guard try await check(path, limit, slack) else { continue }
            count += 1
            if depth > 1 { try await explore(&path, depth: depth - 1, limit, slack, &count) }
        }
    }

    /// - Returns: Whether the path can be walked.
    private func check(_ path: [Move], _ limit: Int?, _ slack: Int) async throws -> Bool {
        let world = try await World.make(limit: limit, slack: slack)
        // In half of the worlds the first evaluation is part of what is explored.
        if slack == 1 { try await world.comeToRest() }
        for (step, move) in path.enumerated() {
            guard try await world.make(move, step) else { return false }
        }
        try await world.comeToRest()
        let fresh = try world.store.read { try $0.fetch(world.query) }
        #expect(world.shown == fresh, "\(path)")
        #expect(world.isTrue, "\(path)")
        return true
    }
}
