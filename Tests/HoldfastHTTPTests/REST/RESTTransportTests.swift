import Holdfast
import HoldfastHTTP
import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import HoldfastTesting
import Synchronization
import Testing

/// Mutations in the words of an API that exists, one request at a time.
@Suite struct RESTTransportTests {
    private static let credentials = SyncCredentials(token: "secret")
    private static let note = RecordReference("notes", "a")

    private func operation(
        _ kind: PushOperation.Kind,
        base: Int64? = nil,
        _ fields: JSONObject = [:],
        unset: [String] = [],
        force: PushOperation.Force = .nothing,
        key: String = "k1",
        group: String? = nil,
        record: RecordReference = note
    ) -> PushOperation {
        PushOperation(
            key: MutationKey(key),
            sequence: 1,
            group: group,
            record: record,
            kind: kind,
            base: base.map { RecordVersion($0) },
            fields: fields,
            unset: unset,
            force: force
        )
    }

    private func push(
        _ operations: PushOperation...,
        to api: ExampleAPI,
        as description: RESTAPI = .example
    ) async throws -> [PushResult] {
        let request = PushRequest(
            client: ClientID("phone"),
            dataset: DatasetID("example"),
            acknowledgedThrough: 0,
            operations: try operations.map { PushRequest.Operation(text: try $0.text()) }
        )
        return try await RESTTransport(api, api: description).push(request, Self.credentials)
            .results
    }

    private func only(_ results: [PushResult]) throws -> PushResult {
        try #require(results.count == 1)
        return results[0]
    }

    // MARK: Words

    @Test(arguments: [true, false])
    func aNewRecordIsPutWhereNoneIs(isTalkative: Bool) async throws {
        let api = ExampleAPI(isTalkative: isTalkative)
        let result = try only(
            await push(operation(.put, ["id": "a", "title": "Milk"]), to: api)
        )
        #expect(result.status == .applied && result.version == RecordVersion(1))
        #expect(result.record == nil)
        let request = try #require(api.requests.first)
        #expect(request.head.method == "PUT" && request.head.target == "/notes/a")
        #expect(request.head.headers["If-None-Match"] == "*")
        #expect(request.head.headers["Idempotency-Key"] == "\"k1\"")
        #expect(request.head.headers["Authorization"] == "Bearer secret")
        #expect(api.requests.count == (isTalkative ? 1 : 2))
    }

    @Test func anEditIsWrittenOnTheVersionThatItWasMadeOn() async throws {
        let api = ExampleAPI()
        api.write(["id": "a", "title": "Milk", "done": false, "old": 1], at: "/notes/a")
        let patch = operation(.patch, base: 1, ["done": true], unset: ["old"])
        let result = try only(await push(patch, to: api))
        #expect(result.status == .applied && result.version == RecordVersion(2))
        #expect(api.records("notes")["a"] == ["id": "a", "title": "Milk", "done": true])
        #expect(api.requests.map(\.head.method) == ["GET", "PUT"])
        #expect(api.requests[1].head.headers["If-Match"] == "\"1\"")
    }

    @Test func aMergePatchSaysOneRequestLessWhereItCan() async throws {
        var description = RESTAPI.example
        description.edits = .mergePatch
        let api = ExampleAPI()
        api.write(["id": "a", "title": "Milk", "old": 1], at: "/notes/a")
        let patch = operation(.patch, base: 1, ["done": true], unset: ["old"])
        let result = try only(await push(patch, to: api, as: description))
        #expect(result.status == .applied || result.status == .merged)
        #expect(api.records("notes")["a"] == ["id": "a", "title": "Milk", "done": true])
        #expect(api.requests.map(\.head.method) == ["PATCH"])
        // A null and an object would say something else.
        for value in [JSONValue.null, ["x": 1]] {
            let next = try #require(try await current(api)?.number)
            let odd = operation(.patch, base: next, ["title": value], key: "k\(next)")
            #expect(try only(await push(odd, to: api, as: description)).status == .applied)
            #expect(api.records("notes")["a"]?["title"] == value)
        }
    }

    private func current(_ api: ExampleAPI) async throws -> RecordVersion? {
        let request = RecordsRequest(client: ClientID("phone"), table: "notes", ids: ["a"])
        let page = try await RESTTransport(api, api: .example).records(request, Self.credentials)
        return page.records.first?.version
    }

    @Test func whatStandsInTheWayIsAConflictAndNothingIsWritten() async throws {
        let api = ExampleAPI()
        api.write(["id": "a", "title": "Milk"], at: "/notes/a")
        api.write(["id": "a", "title": "Bread"], at: "/notes/a")
        let stale = [
            operation(.put, ["id": "a", "title": "Eggs"]),
            operation(.put, base: 1, ["id": "a", "title": "Eggs"]),
            operation(.patch, base: 1, ["title": "Eggs"]), operation(.delete, base: 1),
        ]
        for mutation in stale {
            let result = try only(await push(mutation, to: api))
            #expect(result.status == .conflict && result.version == RecordVersion(2))
            #expect(result.record == ["id": "a", "title": "Bread"])
        }
        #expect(api.effects == 2)
    }

    @Test func whatIsForcedIsWrittenOnWhicheverVersion() async throws {
        let api = ExampleAPI()
        api.write(["id": "a", "title": "Milk"], at: "/notes/a")
        api.write(["id": "a", "title": "Bread", "done": true], at: "/notes/a")
        let patch = operation(.patch, base: 1, ["title": "Eggs"], force: .fields(["title"]))
        let result = try only(await push(patch, to: api))
        #expect(result.status == .merged)
        #expect(result.record == ["id": "a", "title": "Eggs", "done": true])
        // Fields that are not forced stand in the way still.
        let wide = operation(
            .patch,
            base: 1,
            ["title": "Ham", "done": false],
            force: .fields(["title"]),
            key: "k2"
        )
        #expect(try only(await push(wide, to: api)).status == .conflict)
        let deletion = operation(.delete, base: 1, force: .record, key: "k3")
        #expect(try only(await push(deletion, to: api)).status == .applied)
        #expect(api.records("notes").isEmpty)
    }

    @Test func whatIsGoneIsNews() async throws {
        let api = ExampleAPI()
        let patch = try only(await push(operation(.patch, base: 1, ["x": 1]), to: api))
        #expect(patch.status == .conflict && patch.problem?.type == ProblemType.purged)
        let put = try only(await push(operation(.put, base: 1, ["id": "a"], key: "k2"), to: api))
        #expect(put.status == .conflict && put.problem?.type == ProblemType.purged)
        let deletion = try only(await push(operation(.delete, base: 1, key: "k3"), to: api))
        #expect(deletion.status == .noop && deletion.version == nil)
    }

    @Test func whatCannotBeSaidNeedsAttention() async throws {
        let api = ExampleAPI()
        let odd = [
            operation(.delta, ["likes": 1]), operation(.put, ["id": "a"], group: "g"),
            operation(.put, ["id": ".."], record: RecordReference("notes", "..")),
        ]
        for mutation in odd {
            #expect(try only(await push(mutation, to: api)).status == .rejected)
        }
        #expect(api.requests.isEmpty)
        let schema = Schema(version: 1) {
            Table("notes").synced(SyncRules(fields: ["likes": .counter]))
        }
        let store = try await Store(storage: MemoryStorage(), schema: schema)
        #expect(throws: SyncError.self) {
            try SyncEngine(store: store, transport: RESTTransport(api, api: .example)) { _ in nil }
        }
    }

    @Test func anIDWithSlashesIsOnePartOfThePath() async throws {
        let api = ExampleAPI()
        let record = RecordReference("notes", "a/b?c")
        api.decide { _ in .instead(ExampleAPI.response(200, ["id": "a/b?c"], 1)) }
        _ = try await push(operation(.put, ["id": "a/b?c"], record: record), to: api)
        #expect(api.requests.map(\.head.target) == ["/notes/a%2Fb%3Fc"])
    }

    // MARK: Once

    @Test(arguments: [PushOperation.Kind.put, .patch, .delete], [0, 1, 2, 3])
    func aMutationWhoseAnswerWasLostHasOneEffect(
        kind: PushOperation.Kind,
        lost: Int
    ) async throws {
        for edits in [RESTEdits.whole, .mergePatch] {
            for keepsKeys in [true, false] {
                let api = ExampleAPI(isTalkative: lost % 2 == 0)
                var description = RESTAPI.example
                description.edits = edits
                if kind != .put { api.write(["id": "a", "title": "Milk"], at: "/notes/a") }
                let before = api.effects
                let mutation =
                    switch kind {
                    case .put: operation(.put, ["id": "a", "title": "Eggs"])
                    case .patch: operation(.patch, base: 1, ["title": "Eggs"])
                    default: operation(.delete, base: 1)
                    }
                // The answer to one of the requests is lost, whichever it is.
                let count = Mutex(0)
                api.decide { request in
                    let number = count.withLock { count in
                        count += 1
                        return count - 1
                    }
                    return number == lost ? .answerLost : .answered
                }
                var result: PushResult?
                for _ in 0..<2 where result == nil {
                    result = try? await only(push(mutation, to: api, as: description))
                    if !keepsKeys { api.forgetKeys() }
                }
                let status = try #require(result?.status)
                #expect([.applied, .merged, .noop].contains(status))
                #expect(api.effects == before + 1)
                #expect(api.records("notes")["a"]?["title"] == (kind == .delete ? nil : "Eggs"))
            }
        }
    }

    /// The same decision may be told twice, by two devices or in other words.
    @Test func whatIsDiscardedIsKeptOnceWhereTheAPIHasALedger() async throws {
        var description = RESTAPI.example
        description.keepsLedger = true
        let api = ExampleAPI()
        var mutation = operation(.put, ["id": "a", "title": "Eggs"])
        for (key, kept) in [("k1", "Eggs"), ("k2", "Ham")] {
            mutation.key = MutationKey(key)
            mutation.ledger = [
                LedgerEntry(
                    id: "e",
                    record: Self.note,
                    field: "title",
                    discarded: "Milk",
                    kept: .string(kept),
                    rule: "serverOrder"
                )
            ]
            let result = try only(await push(mutation, to: api, as: description))
            #expect([.applied, .noop].contains(result.status))
        }
        #expect(api.records("holdfast_ledger")["e"]?["kept"] == "Eggs")
        // Alone, it says nothing of the record that it is about.
        let note = operation(.patch, base: 1, key: "k3")
        let result = try only(await push(note, to: api, as: description))
        #expect(result.status == .noop && result.version == RecordVersion(1))
    }

    // MARK: The decision table

    @Test(arguments: [
        (400, PushResult.Status.rejected), (403, .rejected), (404, .rejected), (405, .rejected),
        (413, .rejected), (422, .rejected),
    ])
    func aRefusalOfARecordNeedsAttention(status: Int, expected: PushResult.Status) async throws {
        let api = ExampleAPI()
        api.decide { _ in .instead(ExampleAPI.problem(status, "No.")) }
        let result = try only(await push(operation(.put, ["id": "a"]), to: api))
        #expect(result.status == expected && result.problem?.detail == "No.")
    }

    @Test(arguments: [401, 408, 425, 429, 500, 502, 503])
    func aRefusalOfTheRequestIsTheLines(status: Int) async throws {
        let api = ExampleAPI()
        api.decide { _ in
            var response = ExampleAPI.problem(status, "Later.")
            response.head.headers.add("Retry-After", "7")
            return .instead(response)
        }
        let error = await #expect(throws: TransportFailure.self) {
            _ = try await push(operation(.put, ["id": "a"]), to: api)
        }
        #expect(error?.kind == .refused(status: status) && error?.retryAfter == .seconds(7))
    }

    /// S39.
    @Test(arguments: [200, 204, 302, 403, 404, 410, 511])
    func aCaptivePortalProvesNothing(status: Int) async throws {
        let api = ExampleAPI()
        let html = Array("<html>Welcome to our hotel</html>".utf8)
        api.decide { _ in
            let head = HTTPResponseHead(status: status, headers: ["Content-Type": "text/html"])
            return .instead(HTTPResponse(head, body: html))
        }
        let mutations = [
            operation(.put, ["id": "a"]), operation(.patch, base: 1, ["x": 1]),
            operation(.delete, base: 1),
        ]
        for mutation in mutations {
            let error = await #expect(throws: TransportFailure.self) {
                _ = try await push(mutation, to: api)
            }
            #expect(error?.kind == .foreign)
        }
        let error = await #expect(throws: TransportFailure.self) {
            _ = try await RESTTransport(api, api: .example).hello(Self.credentials)
        }
        #expect(error?.kind == .foreign)
    }

    /// As a proxy in front of an API does: the record is refused, and the API is there.
    @Test(arguments: [403, 413]) func aProxysPageIsARefusalWhereTheAPIAnswers(
        status: Int
    ) async throws {
        let api = ExampleAPI()
        api.decide { request in
            if request.head.target.hasPrefix("/changes") { return .answered }
            let head = HTTPResponseHead(status: status, headers: ["Content-Type": "text/html"])
            return .instead(HTTPResponse(head, body: Array("<html>No</html>".utf8)))
        }
        let result = try only(await push(operation(.put, ["id": "a"]), to: api))
        #expect(result.status == .rejected)
        #expect(result.problem?.detail.contains("status \(status)") == true)
    }

    /// One record that cannot be read holds up no other: it needs attention by itself.
    @Test(arguments: [403, 200]) func aRecordThatCannotBeReadNeedsAttention(
        status: Int
    ) async throws {
        let api = ExampleAPI()
        api.decide { request in
            request.head.method == "GET"
                ? .instead(ExampleAPI.response(status, ["id": "a"])) : .answered
        }
        let result = try only(await push(operation(.patch, base: 1, ["x": 1]), to: api))
        #expect(result.status == .rejected)
    }

    @Test func whatTheLineStopsIsPutOffWithWhatIsBehindIt() async throws {
        let api = ExampleAPI()
        api.decide { $0.head.target == "/notes/b" ? .requestLost : .answered }
        let results = try await push(
            operation(.put, ["id": "a"], key: "k1"),
            operation(.put, ["id": "b"], key: "k2", record: RecordReference("notes", "b")),
            operation(.put, ["id": "c"], key: "k3", record: RecordReference("notes", "c")),
            to: api
        )
        #expect(results.map(\.status) == [.applied, .deferred, .deferred])
        #expect(results.map(\.key.text) == ["k1", "k2", "k3"])
        #expect(api.records("notes").keys.sorted() == ["a"])
    }

    @Test func aVersionThatDoesNotGrowIsSaid() async throws {
        let api = ExampleAPI()
        api.decide { _ in .instead(ExampleAPI.response(200, ["id": "a"], 3)) }
        let result = try only(await push(operation(.put, base: 3, ["id": "a", "x": 1]), to: api))
        #expect(result.status == .rejected)
    }

    // MARK: History

    @Test func anAPIWithPagesOfEverythingIsReadAnew() async throws {
        let api = ExampleAPI()
        let request = SnapshotRequest(client: ClientID("phone"), scope: ScopeName("all"), limit: 2)
        let refusal = await #expect(throws: TransportFailure.self) {
            _ = try await RESTTransport(api, api: .example).snapshot(request, Self.credentials)
        }
        #expect(refusal?.kind == .refused(status: 501))
        for id in ["a", "b", "c"] { api.write(["id": .string(id)], at: "/notes/\(id)") }
        // An API whose history begins anew.
        api.decide { request in
            request.head.target.hasSuffix("since=1")
                ? .instead(ExampleAPI.problem(410, "It is gone.")) : .answered
        }
        var description = RESTAPI.example
        let pages = description.page
        description.snapshot = RESTAPI.Snapshot { pull in
            RESTRequest("changes", query: ["since": pull.cursor ?? "0", "limit": "\(pull.limit)"])
        } page: { response, pull in
            let page = try pages(response, pull)
            return RESTSnapshotPage(
                records: page.records,
                next: page.hasMore ? page.cursor : nil,
                cursor: "3",
                head: RecordVersion(3)
            )
        }
        let transport = RESTTransport(api, api: description)
        let expired = ChangesRequest(
            client: ClientID("phone"),
            scope: ScopeName("all"),
            cursor: SyncCursor("1"),
            limit: 2
        )
        let gone = await #expect(throws: TransportFailure.self) {
            _ = try await transport.changes(expired, Self.credentials)
        }
        #expect(gone?.kind == .refused(status: 410))
        let page = try await transport.snapshot(request, Self.credentials)
        #expect(page.records.map(\.record.id) == ["a", "b"] && page.next == SyncCursor("2"))
        #expect(page.head == RecordVersion(3) && page.cursor == SyncCursor("3"))
    }

    @Test(arguments: ["[]", "{\"items\":[{}]}", "{}", "7"])
    func aHistoryThatIsNotAsTheAppSaysIsInvalid(body: String) async throws {
        let api = ExampleAPI()
        api.decide { _ in
            .instead(HTTPResponse(HTTPResponseHead(status: 200), body: Array(body.utf8)))
        }
        let error = await #expect(throws: TransportFailure.self) {
            _ = try await RESTTransport(api, api: .example).hello(Self.credentials)
        }
        #expect(error?.kind == .invalid)
    }
}
