import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Testing

/// A server that answers garbage: nothing is lost, nothing goes round in circles, and one state of
/// the status says what is wrong.
@Suite(.timeLimit(.minutes(20))) struct BadInputTests {
    private func world() async throws -> (ScenarioWorld, Replica) {
        let world = try await ScenarioWorld()
        for number in 0..<6 {
            try await world.serverPut(["id": .string("\(number)"), "x": 0, "votes": 0])
        }
        let replica = try await world.replica { $0.pageLimit = 3 }
        try await replica.sync()
        return (world, replica)
    }

    private func edit(_ replica: Replica) async throws {
        try await replica.write { transaction in
            try transaction.put(["id": "new", "x": 1], in: "notes")
            try transaction.patch("1", in: "notes", with: ["x": 1])
            try transaction.delete("2", in: "notes")
            try transaction.increment("votes", of: "3", in: "notes", by: 2)
        }
    }

    /// An hour of garbage, then a server that is well.
    private func check(
        _ world: ScenarioWorld,
        _ replica: Replica,
        pauses expected: [PauseReason?] = [.invalidAnswers],
        requests limit: Int = 80
    ) async throws {
        let count = replica.sent.count
        try await replica.run(for: .seconds(3_600))
        #expect(replica.sent.count - count <= limit)
        let status = try replica.status
        #expect(expected.contains(status.pause), "\(status)")
        if status.isSynced { #expect(try replica.records() == world.records()) }
        if status.pause != nil { #expect(!status.isSynced) }
        // What is here is what was here, with what was edited.
        #expect(try replica.get("new") == ["id": "new", "x": 1])
        #expect(try replica.get("1")?["x"] == 1 && replica.get("2") == nil)
        #expect(try replica.get("3")?["votes"] == 2)
        for id in ["0", "4", "5"] as [RecordID] { #expect(try replica.get(id) != nil) }
        replica.distortion = { $1 }
        world.server.removeFaults()
        try await replica.run(for: .seconds(700))
        try await replica.sync()
        #expect(try replica.status.pause == nil)
        #expect(try replica.status.isSynced)
        #expect(try replica.records() == world.records())
        #expect(try world.record("new") == ["id": "new", "x": 1])
        #expect(try world.record("1")?["x"] == 1 && world.record("2") == nil)
        #expect(try world.record("3")?["votes"] == 2)
        #expect(try world.ledger.isEmpty)
    }

    @Test("Answers that cannot be read", arguments: ServerFault.RequestKind.allCases)
    func unreadableAnswers(_ kind: ServerFault.RequestKind) async throws {
        let (world, replica) = try await world()
        if kind == .hello { try await replica.restart() }
        try await edit(replica)
        if kind == .snapshot {
            try await world.serverDelete("x")
            try await world.serverPut(["id": "x"])
            try await world.serverDelete("x")
            try await world.server.purgeTombstones()
        }
        guard kind != .records else { return }
        world.server.fail(with: .garbled(.unreadable), of: [kind], times: nil)
        // What a push did is learnt from the pull.
        try await check(world, replica, pauses: kind == .push ? Self.any : [.invalidAnswers])
    }

    @Test("Pushes that never arrive, and are answered with garbage")
    func unreadablePushes() async throws {
        let (world, replica) = try await world()
        var isGarbage = true
        replica.interception = { request in
            guard isGarbage, request.kind == .push else { return nil }
            return .failure(TransportFailure(.invalid))
        }
        try await edit(replica)
        let count = replica.sent.count
        try await replica.run(for: .seconds(3_600))
        #expect(replica.sent.count - count < 120)
        #expect(try replica.status.pending == 4 && !replica.status.isSynced)
        // That changes are read well meanwhile does not hide it.
        #expect(try replica.status.pause == .invalidAnswers)
        isGarbage = false
        try await check(world, replica, pauses: [nil])
    }

    private static let any: [PauseReason?] = [nil, .invalidAnswers]

    @Test("A push whose results are missing in part, or all")
    func missingResults() async throws {
        for drops in [1, 2] {
            let (world, replica) = try await world()
            replica.distortion = Self.results { results in
                results.enumerated().filter { $0.offset % 2 >= drops }.map(\.element)
            }
            try await edit(replica)
            try await check(
                world,
                replica,
                pauses: Self.any
            )
        }
    }

    @Test("Results of mutations that nobody sent, beside the right ones and instead of them")
    func unknownResults() async throws {
        for replaces in [false, true] {
            let (world, replica) = try await world()
            replica.distortion = Self.results { results in
                let strange = results.map { result in
                    var result = result
                    result.key = MutationKey("strange \(result.key)")
                    return result
                }
                return replaces ? strange : strange + results
            }
            try await edit(replica)
            try await check(world, replica, pauses: replaces ? Self.any : [nil])
        }
    }

    @Test("The same result twice, and two that contradict each other: the first counts")
    func doubledResults() async throws {
        let (world, replica) = try await world()
        replica.distortion = Self.results { results in
            results.flatMap { result in
                var refused = result
                refused.status = .rejected
                return [result, refused]
            }
        }
        try await edit(replica)
        try await check(world, replica, pauses: [nil])
    }

    @Test("Results whose versions go back")
    func oldResults() async throws {
        let (world, replica) = try await world()
        replica.distortion = Self.results { results in
            results.map { result in
                var result = result
                if result.version != nil { result.version = RecordVersion(1) }
                return result
            }
        }
        try await edit(replica)
        try await check(world, replica, pauses: [nil, .invalidAnswers])
    }

    @Test("Results without a version, and conflicts without a state")
    func incompleteResults() async throws {
        for status in [PushResult.Status.applied, .merged, .conflict, .replayed] {
            let (world, replica) = try await world()
            replica.distortion = Self.results { results in
                results.map { PushResult(key: $0.key, status: status) }
            }
            try await edit(replica)
            try await check(world, replica, pauses: Self.any)
        }
    }

    @Test("A cursor that does not move, and pages without end")
    func endlessPages() async throws {
        for distortion in [AnswerDistortion.stuckCursor, .endlessPages] {
            let (world, replica) = try await world()
            world.server.fail(with: .garbled(distortion), of: [.changes], times: nil)
            try await edit(replica)
            try await check(world, replica, pauses: [.invalidAnswers], requests: 200)
        }
    }

    @Test("Pages that bring the same changes for ever, with cursors that move")
    func endlessChanges() async throws {
        let (world, replica) = try await world()
        var number = 0
        var first: ChangesPage?
        replica.distortion = { _, answer in
            guard case .success(.changes(let page)) = answer else { return answer }
            number += 1
            if first == nil, !page.changes.isEmpty { first = page }
            var again = first ?? page
            again.cursor = SyncCursor("\(number)")
            again.hasMore = true
            return .success(.changes(again))
        }
        try await edit(replica)
        // Pushing goes on beside it, and asking does not go on for ever.
        let count = replica.sent.count
        try await replica.run(for: .seconds(3_600))
        #expect(replica.sent.count - count < 300)
        #expect(try replica.status.pause == .invalidAnswers)
        #expect(try world.record("new") != nil && world.record("2") == nil)
        #expect(try replica.status.pending == 0)
    }

    @Test("Changes whose versions go back")
    func oldChanges() async throws {
        let (world, replica) = try await world()
        world.server.fail(with: .garbled(.oldVersions), of: [.changes], times: nil)
        try await edit(replica)
        try await check(world, replica, pauses: [nil])
    }

    @Test("A page that is larger than what was asked for")
    func hugePages() async throws {
        let (world, replica) = try await world()
        replica.distortion = { _, answer in
            guard case .success(.changes(var page)) = answer else { return answer }
            let scope = ScopeName("all")
            page.changes = (0..<10_000).map { number in
                ServerChange(
                    scope: scope,
                    record: RecordReference("notes", RecordID(Int64(number + 100))),
                    version: RecordVersion(1),
                    sequence: Int64(number),
                    kind: .put,
                    fields: [:]
                )
            }
            return .success(.changes(page))
        }
        try await edit(replica)
        try await check(world, replica)
    }

    @Test("Changes without what they need, or of a scope that was not asked for")
    func strangeChanges() async throws {
        let changes: [(inout ServerChange) -> Void] = [
            { $0.fields = nil }, { $0.version = RecordVersion(0) },
            { $0.version = RecordVersion(-5) }, { $0.scope = ScopeName("other") },
        ]
        for change in changes {
            let (world, replica) = try await world()
            replica.distortion = { _, answer in
                guard case .success(.changes(var page)) = answer else { return answer }
                for place in page.changes.indices where page.changes[place].kind == .put {
                    change(&page.changes[place])
                }
                return .success(.changes(page))
            }
            try await edit(replica)
            try await check(world, replica)
        }
    }

    @Test(
        "Requests that are refused for another dataset, which nobody then names",
        arguments: [ServerFault.RequestKind.push, .changes]
    ) func aDatasetThatNobodyNames(_ kind: ServerFault.RequestKind) async throws {
        let (world, replica) = try await world()
        replica.interception = { request in
            guard request.kind == kind else { return nil }
            var failure = TransportFailure(.refused(status: 409))
            failure.problem = SyncProblem(type: ProblemType.datasetChanged, detail: "")
            return .failure(failure)
        }
        try await edit(replica)
        let count = replica.sent.count
        try await replica.run(for: .seconds(3_600))
        #expect(replica.sent.count - count < 150)
        #expect(try replica.status.pause == .invalidAnswers)
        replica.interception = { _ in nil }
        try await check(world, replica, pauses: [nil])
    }

    @Test("An answer to another question")
    func wrongKindsOfAnswers() async throws {
        let (world, replica) = try await world()
        let hello = try await world.server.transport().hello(SyncCredentials())
        replica.distortion = { request, answer in
            request.kind == .hello ? answer : .success(.hello(hello))
        }
        try await edit(replica)
        try await check(world, replica)
    }

    private static func results(
        _ change: @escaping ([PushResult]) -> [PushResult]
    ) -> (SyncRequest, Replica.Answer) -> Replica.Answer {
        { _, answer in
            guard case .success(.push(var response)) = answer else { return answer }
            response.results = change(response.results)
            return .success(.push(response))
        }
    }
}
