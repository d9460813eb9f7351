import Holdfast
import HoldfastSync
import Testing

/// Messages as JSON.
struct WireTests {
    private static let entry = LedgerEntry(
        id: "l1",
        record: RecordReference("notes", "a"),
        field: "title",
        discarded: .null,
        kept: ["deep": [1, 2.5]],
        discardedVersion: RecordVersion(3),
        keptVersion: RecordVersion(4),
        rule: "latest(by: at)",
        author: ClientID("c")
    )

    private static let operations: [PushOperation] = [
        PushOperation(
            key: MutationKey("k"),
            sequence: .max,
            group: "g",
            schema: 7,
            form: 5,
            record: RecordReference("notes", "ä/\u{1F600}"),
            kind: .put,
            fields: ["id": "ä", "big": .integer(.min), "small": 1e-7, "none": .null]
        ),
        PushOperation(
            key: MutationKey("k"),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .patch,
            base: RecordVersion(9),
            fields: ["x": 1.0],
            unset: ["y", ""],
            force: .fields(["x", "b", "a"]),
            merge: .none,
            ledger: [entry]
        ),
        PushOperation(
            key: MutationKey("k"),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .delete,
            base: RecordVersion(9),
            force: .record
        ),
        PushOperation(
            key: MutationKey("k"),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .delta,
            fields: ["votes": -1]
        ),
        PushOperation(
            key: MutationKey("k"),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .action,
            fields: ["to": "b"],
            action: "move"
        ),
    ]

    @Test(arguments: operations)
    func mutationReadsBackAsItWasWritten(operation: PushOperation) throws {
        #expect(try PushOperation(text: operation.text()) == operation)
        #expect(try PushOperation(text: operation.text()).text() == operation.text())
    }

    @Test func requestCarriesFrozenTextsByteForByte() throws {
        let texts = try Self.operations.map { try $0.text() }
        let request = PushRequest(
            client: ClientID("c"),
            dataset: DatasetID("d"),
            acknowledgedThrough: 12,
            operations: texts.map { text in
                PushRequest.Operation(
                    text: text,
                    dependsOn: [RecordReference("folders", "f"), RecordReference("x", "\"\\")]
                )
            }
        )
        let read = try PushRequest(text: request.text())
        #expect(read == request)
        #expect(
            try String(decoding: request.text(), as: UTF8.self).contains(
                String(decoding: texts[0].dropLast(), as: UTF8.self)
            )
        )
    }

    /// A replica's record may be as deep as a store's.
    @Test func deepestRecordFitsEveryMessage() throws {
        let deep = (0..<JSONValue.nestingLimit).reduce(JSONValue.null) { value, level in
            level % 2 == 0 ? .array([value]) : ["x": value]
        }
        let operation = PushOperation(
            key: MutationKey("k"),
            sequence: 1,
            record: RecordReference("notes", "a"),
            kind: .put,
            fields: ["x": deep],
            ledger: [
                LedgerEntry(
                    id: "l",
                    record: RecordReference("notes", "a"),
                    field: nil,
                    discarded: ["x": deep],
                    kept: nil,
                    rule: "r"
                )
            ]
        )
        let request = PushRequest(
            client: ClientID("c"),
            dataset: DatasetID("d"),
            acknowledgedThrough: 0,
            operations: [PushRequest.Operation(text: try operation.text())]
        )
        let read = try PushRequest(text: request.text())
        #expect(try PushOperation(text: read.operations[0].text) == operation)
    }

    @Test func answersReadBackAsTheyWereWritten() throws {
        let problem = SyncProblem(type: ProblemType.invalid, detail: "ä", pointer: "/a~1b")
        let response = PushResponse(
            dataset: DatasetID("d"),
            epoch: EpochID("e"),
            results: [
                PushResult(key: MutationKey("a"), status: .applied, version: RecordVersion(1)),
                PushResult(
                    key: MutationKey("b"),
                    status: .replayed,
                    original: .conflict,
                    version: RecordVersion(2),
                    record: ["x": [.null]],
                    problem: problem
                ),
                PushResult(
                    key: MutationKey("c"),
                    status: .conflict,
                    version: RecordVersion(3),
                    isTombstone: true
                ),
            ]
        )
        #expect(try PushResponse(json: coded(response.json)) == response)
        let change = ServerChange(
            scope: ScopeName("s"),
            record: RecordReference("notes", "a"),
            version: RecordVersion(1),
            sequence: 1,
            kind: .put,
            form: 3,
            fields: [:],
            mine: [MutationKey("k")]
        )
        var gone = change
        gone.kind = .gone
        gone.fields = nil
        let page = ChangesPage(
            dataset: DatasetID("d"),
            epoch: EpochID("e"),
            scopes: [ScopeName("s"), ScopeName("ä")],
            changes: [change, gone],
            cursor: SyncCursor("c"),
            hasMore: true
        )
        #expect(try ChangesPage(json: coded(page.json)) == page)
        for next in [SyncCursor("n"), nil] {
            let snapshot = SnapshotPage(
                dataset: DatasetID("d"),
                epoch: EpochID("e"),
                lost: next == nil ? [] : [RecordVersion(5)...RecordVersion(9)],
                scopes: [],
                head: RecordVersion(0),
                records: [change],
                next: next,
                cursor: SyncCursor("c")
            )
            #expect(try SnapshotPage(json: coded(snapshot.json)) == snapshot)
        }
        let records = RecordsPage(
            dataset: DatasetID("d"),
            epoch: EpochID("e"),
            records: [change]
        )
        #expect(try RecordsPage(json: coded(records.json)) == records)
        for schemas in [3...9, nil] {
            let hello = ServerHello(
                dataset: DatasetID("d"),
                epoch: EpochID("e"),
                epochStart: RecordVersion(8),
                protocols: 1...2,
                schemas: schemas,
                scopes: [ScopeName("s")],
                floor: RecordVersion(4)
            )
            #expect(try ServerHello(json: coded(hello.json)) == hello)
        }
    }

    private func coded(_ json: JSONObject) throws -> JSONObject {
        try JSONObject(parsingMessage: json.serializedMessage())
    }

    @Test func parametersReadBackAsTheyWereWritten() throws {
        let changes = ChangesRequest(
            client: ClientID("c"),
            dataset: DatasetID("d"),
            scope: ScopeName("a b&c"),
            cursor: SyncCursor("x-1"),
            limit: 3,
            tables: ["b", "a"],
            wait: .milliseconds(1_500)
        )
        #expect(try ChangesRequest(query: changes.query) == changes)
        let bare = ChangesRequest(client: ClientID("c"), scope: ScopeName("s"), limit: 1)
        #expect(try ChangesRequest(query: bare.query) == bare)
        let snapshot = SnapshotRequest(
            client: ClientID("c"),
            scope: ScopeName("s"),
            after: SyncCursor("a"),
            limit: 3
        )
        #expect(try SnapshotRequest(query: snapshot.query) == snapshot)
        let records = RecordsRequest(client: ClientID("c"), table: "t", ids: ["a", "b"])
        #expect(try RecordsRequest(query: records.query) == records)
        let long = ChangesRequest(
            client: ClientID("c"),
            scope: ScopeName("s"),
            limit: 1,
            wait: .seconds(Int64.max)
        )
        #expect(try ChangesRequest(query: long.query).wait == .milliseconds(Int64(Int32.max)))
    }

    @Test func unknownFieldsAreIgnored() throws {
        var json = Self.operations[1].json
        json["new"] = ["x": 1]
        #expect(try PushOperation(json: json) == Self.operations[1])
    }

    @Test func fieldOfWrongTypeIsRefusedWithItsPlace() throws {
        let good = Self.operations[1].json
        for (name, _) in good {
            for value: JSONValue in [.bool(false), 1.5, [], ["x": 1], "?", -1, .string("")] {
                var json = good
                json[name] = value
                do {
                    let read = try PushOperation(json: json)
                    #expect(try PushOperation(text: read.text()) == read)
                } catch let error as WireError {
                    #expect(error.path.hasPrefix(name), "\(name): \(error)")
                }
            }
        }
        for name in ["key", "seq", "schema", "table", "id", "op", "fields"] {
            var json = good
            json[name] = nil
            #expect(throws: WireError.self) { try PushOperation(json: json) }
        }
    }

    @Test(arguments: [-1, 2_147_483_648, 1.5, "1", true, [], ["x": 1]] as [JSONValue])
    func formThatIsNoVersionOfASchemaIsRefused(_ form: JSONValue) throws {
        var operation = Self.operations[0].json
        operation["form"] = form
        #expect(throws: WireError.self) { try PushOperation(json: operation) }
        var result = PushResult(key: MutationKey("k"), status: .applied, form: 2).json
        #expect(try PushResult(json: result).form == 2)
        result["form"] = form
        #expect(throws: WireError.self) { try PushResult(json: result) }
        var change = ServerChange(
            scope: ScopeName("s"),
            record: RecordReference("notes", "a"),
            version: RecordVersion(1),
            sequence: 1,
            kind: .put,
            fields: [:]
        ).json
        #expect(change["form"] == nil)
        for nothing: JSONValue? in [nil, .null, 0] {
            change["form"] = nothing
            #expect(try ServerChange(json: change).form == 0)
        }
        change["form"] = form
        #expect(throws: WireError.self) { try ServerChange(json: change) }
    }

    /// Whatever a server or a client sends is read or refused, and never stops the program.
    @Test(arguments: 0..<20)
    func damagedMessageIsRefusedOrReadsBack(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts = try Self.operations.map { try $0.text() }
        for _ in 0..<200 {
            var text = texts[Int(random.next() % UInt64(texts.count))]
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(text.count))
                switch random.next() % 3 {
                case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: text.remove(at: place)
                default: text.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                }
            }
            guard let read = try? PushOperation(text: text) else { continue }
            #expect(try PushOperation(text: read.text()) == read, "seed \(seed)")
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
