import Holdfast
import HoldfastServer
import HoldfastSync
import HoldfastTesting
import Testing

struct FakeServerTests {
    private static let client = ClientID("client")
    private let server: FakeServer
    private let transport: FakeTransport
    private let credentials = SyncCredentials()

    init() async throws {
        server = try await FakeServer()
        transport = server.transport()
    }

    private func push(_ key: String, adding amount: Int64) async throws -> PushResult {
        let operation = PushOperation(
            key: MutationKey(key),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .delta,
            fields: ["count": .integer(amount)]
        )
        let request = PushRequest(
            client: Self.client,
            dataset: try await transport.hello(credentials).dataset,
            acknowledgedThrough: 0,
            operations: [PushRequest.Operation(text: try operation.text())]
        )
        let response = try await transport.push(request, credentials)
        return try #require(response.results.first)
    }

    private func prepare() async throws {
        try await server.write { transaction in
            _ = try transaction.put(["count": 0], of: "a", in: "notes")
        }
    }

    private var count: JSONValue? {
        get throws { try server.record("a", in: "notes")?["count"] }
    }

    @Test func aDoubledRequestHasOneEffect() async throws {
        try await prepare()
        server.fail(with: .doubled, of: [.push])
        let result = try await push("k", adding: 5)
        #expect(result.status == .replayed)
        #expect(try count == 5)
    }

    @Test func aLostRequestHasNoEffectAndALostAnswerHasOne() async throws {
        try await prepare()
        server.fail(with: .lostRequest, of: [.push])
        await #expect(throws: TransportFailure(.timedOut)) { try await push("k", adding: 5) }
        #expect(try count == 0)
        server.fail(with: .lostAnswer, of: [.push])
        await #expect(throws: TransportFailure(.timedOut)) { try await push("k", adding: 5) }
        #expect(try count == 5)
        #expect(try await push("k", adding: 5).status == .replayed)
        #expect(try count == 5)
        #expect(server.exchanges.count { $0.request.isPushForTests } == 3)
    }

    @Test func aFaultMeetsWhatItIsToldTo() async throws {
        server.fail(with: .status(503, retryAfter: .seconds(3)), of: [.hello], after: 1, times: 2)
        _ = try await transport.hello(credentials)
        let failure = TransportFailure(.refused(status: 503), retryAfter: .seconds(3))
        for _ in 0..<2 {
            await #expect(throws: failure) { try await transport.hello(credentials) }
        }
        _ = try await transport.hello(credentials)
        server.fail(with: .portal, times: nil)
        await #expect(throws: TransportFailure(.foreign)) { try await transport.hello(credentials) }
        server.removeFaults()
        _ = try await transport.hello(credentials)
        server.refuse(token: "old")
        await #expect(throws: TransportFailure(.refused(status: 401))) {
            try await transport.hello(SyncCredentials(token: "old"))
        }
        _ = try await transport.hello(SyncCredentials(token: "new"))
    }

    @Test func aHeldAnswerComesWhenItIsLetGo() async throws {
        try await prepare()
        server.fail(with: .heldAnswer, of: [.push])
        async let result = push("k", adding: 5)
        await server.waitUntilHeld()
        #expect(try count == 5)
        server.release()
        #expect(try await result.status == .applied)
    }

    @Test func aRestoredServerIsAsItWasInAnotherEpoch() async throws {
        try await prepare()
        let before = try await transport.hello(credentials)
        let backup = try server.backup()
        _ = try await push("k", adding: 5)
        try await server.restore(backup)
        #expect(try count == 0)
        let after = try await transport.hello(credentials)
        #expect(after.dataset == before.dataset)
        #expect(after.epoch != before.epoch)
    }

    @Test(arguments: AnswerDistortion.allCases)
    func aDistortedAnswerIsAnotherOrNone(_ distortion: AnswerDistortion) async throws {
        for number in 0..<4 {
            try await server.write { transaction in
                let id = RecordID(Int64(number))
                _ = try transaction.put(["text": "a"], of: id, in: "notes")
            }
        }
        let kind: ServerFault.RequestKind =
            switch distortion {
            case .unknownResults: .push
            case .emptySnapshot: .snapshot
            default: .changes
            }
        let straight = try await answer(kind)
        // Changes are asked for twice: the second page begins behind the first.
        let skipped = kind == .changes ? 1 : 0
        server.fail(with: .garbled(distortion), of: [kind], after: skipped)
        do {
            #expect(try await answer(kind) != straight)
        } catch {
            #expect(distortion == .unreadable)
        }
    }

    private func answer(_ kind: ServerFault.RequestKind) async throws -> SyncAnswer {
        let scope = ScopeName("all")
        switch kind {
        case .push:
            try await prepare()
            return .push(
                PushResponse(
                    dataset: DatasetID(""),
                    epoch: EpochID(""),
                    results: [try await push("k", adding: 0)]
                )
            )
        case .snapshot:
            let request = SnapshotRequest(client: Self.client, scope: scope, limit: 10)
            return .snapshot(try await transport.snapshot(request, credentials))
        default:
            var request = ChangesRequest(client: Self.client, scope: scope, limit: 1)
            request.cursor = try await transport.changes(request, credentials).cursor
            request.limit = 10
            return .changes(try await transport.changes(request, credentials))
        }
    }
}

extension SyncRequest {
    fileprivate var isPushForTests: Bool { if case .push = self { true } else { false } }
}
