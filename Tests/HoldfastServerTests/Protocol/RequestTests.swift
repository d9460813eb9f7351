import Holdfast
import HoldfastSync
import Testing

/// Requests that are refused as a whole, and what a server says of itself.
struct RequestTests {
    @Test func helloSaysWhatIsAllowed() async throws {
        let subject = try await makeSubject(
            ProtocolLimits(
                operations: 7,
                bytes: 9_000,
                page: 11,
                retention: .seconds(60),
                schemas: 2...4
            )
        )
        let hello = try await subject.transport.hello(SyncCredentials(token: "ann"))
        #expect(hello.protocols == 1...1)
        #expect(hello.schemas == 2...4)
        #expect(hello.maximumOperations == 7)
        #expect(hello.maximumBytes == 9_000)
        #expect(hello.maximumPage == 11)
        #expect(hello.keyRetention == .seconds(60))
        #expect(hello.scopes == [ScopeName("all")])
        let again = try await subject.transport.hello(SyncCredentials(token: "bob"))
        #expect(again.dataset == hello.dataset && again.epoch == hello.epoch)
    }

    /// S17, the server's half.
    @Test func otherDatasetIsRefused() async throws {
        let client = try await TestClient(makeSubject())
        client.dataset = DatasetID("another")
        let put = client.put("a", ["x": 1])
        for body in [
            { _ = try await client.push(put) }, { _ = try await client.page() },
            { _ = try await client.snapshot() },
        ] {
            let refused = try await refusal(of: body)
            #expect(refused == (409, ProblemType.datasetChanged))
        }
    }

    /// S37, the server's half.
    @Test func tooLargePushIsRefusedWhole() async throws {
        let subject = try await makeSubject(ProtocolLimits(operations: 2, bytes: 1_000))
        let client = try await TestClient(subject)
        let three = (0..<3).map { client.put(RecordID(Int64($0)), ["x": 1]) }
        #expect(
            try await refusal { _ = try await client.push(three) } == (413, ProblemType.tooLarge)
        )
        let large = client.put("a", ["x": .string(String(repeating: "x", count: 1_000))])
        #expect(
            try await refusal { _ = try await client.push([large]) } == (413, ProblemType.tooLarge)
        )
        #expect(try await client.changes().changes.isEmpty)
        #expect(try await client.push(Array(three[..<2])).map(\.status) == [.applied, .applied])
    }

    @Test func textThatIsNoMutationIsRefusedWhole() async throws {
        let subject = try await makeSubject(overHTTP: false)
        let client = try await TestClient(subject)
        let good = PushRequest.Operation(text: try client.put("a", ["x": 1]).text())
        for text in ["", "{", "[]", "{}", #"{"key":"k"}"#, #"{"key":"k","seq":0}"#] {
            let request = PushRequest(
                client: client.client,
                dataset: client.dataset,
                acknowledgedThrough: 0,
                operations: [good, PushRequest.Operation(text: Array(text.utf8))]
            )
            let refused = try await refusal {
                _ = try await subject.transport.push(request, client.credentials)
            }
            #expect(refused == (400, ProblemType.invalid))
        }
        #expect(try await client.changes().changes.isEmpty)
    }

    @Test func clientAndPrincipalNeedNames() async throws {
        let subject = try await makeSubject(overHTTP: false)
        for name in ["", "a\u{0}b", String(repeating: "x", count: 200)] {
            let request = ChangesRequest(
                client: ClientID(name),
                scope: ScopeName("all"),
                limit: 1
            )
            let refused = try await refusal {
                _ = try await subject.transport.changes(request, SyncCredentials(token: "ann"))
            }
            #expect(refused.status == 400)
        }
        let nobody = SyncCredentials(token: "a\u{0}b")
        let refused = try await refusal { _ = try await subject.transport.hello(nobody) }
        #expect(refused.status == 403)
    }

    /// S38, the server's half.
    @Test func mutationsOfOtherSchemasWaitOrAskForAnUpdate() async throws {
        let subject = try await makeSubject(ProtocolLimits(schemas: 2...3))
        let client = try await TestClient(subject)
        func put(_ id: RecordID, schema: Int) -> PushOperation {
            var put = client.put(id, ["x": 1])
            put.schema = schema
            return put
        }
        let (old, new, right) = (put("a", schema: 1), put("b", schema: 4), put("c", schema: 2))
        let results = try await client.push([old, new, right])
        #expect(results.map(\.status) == [.rejected, .deferred, .applied])
        #expect(results[0].problem?.type == ProblemType.upgradeRequired)
        #expect(results[1].problem?.type == ProblemType.schemaAhead)
    }

    @Test func limitsOfPagesAreTheServers() async throws {
        let subject = try await makeSubject(ProtocolLimits(page: 2))
        let client = try await TestClient(subject)
        for id: RecordID in ["a", "b", "c"] { try await client.create(id, ["x": 1]) }
        #expect(try await client.page(limit: 1_000).changes.count == 2)
        #expect(try await client.snapshot(limit: 1_000).records.count == 2)
        let request = RecordsRequest(client: client.client, table: "notes", ids: ["a", "b", "c"])
        let refused = try await refusal {
            _ = try await subject.transport.records(request, client.credentials)
        }
        #expect(refused == (413, ProblemType.tooLarge))
    }
}
