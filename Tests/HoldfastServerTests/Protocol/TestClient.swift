import Holdfast
import HoldfastSync
import Testing

/// A client that speaks the protocol by hand.
final class TestClient {
    let transport: any SyncTransport
    let client: ClientID
    let credentials: SyncCredentials
    var dataset: DatasetID
    var sequence: Int64 = 0
    var acknowledged: Int64 = 0
    /// The server listens as long as somebody has it.
    private var subject: (any ProtocolSubject)?

    convenience init(
        _ subject: any ProtocolSubject,
        _ name: String = "phone",
        token: String = "ann"
    ) async throws {
        try await self.init(transport: subject.transport, name, token: token)
        self.subject = subject
    }

    init(
        transport: any SyncTransport,
        _ name: String = "phone",
        token: String = "ann"
    ) async throws {
        self.transport = transport
        client = ClientID("client-\(name)")
        credentials = SyncCredentials(token: token)
        dataset = try await transport.hello(credentials).dataset
    }

    // MARK: Mutations

    /// The next mutation of this client.
    func operation(
        _ kind: PushOperation.Kind,
        _ id: RecordID,
        in table: TableName = "notes",
        base: RecordVersion? = nil,
        _ fields: JSONObject = [:],
        unset: [String] = [],
        force: PushOperation.Force = .nothing,
        merge: PushOperation.Merge = .fields,
        group: String? = nil,
        action: String? = nil,
        ledger: [LedgerEntry] = []
    ) -> PushOperation {
        sequence += 1
        return PushOperation(
            key: MutationKey("\(client)-\(sequence)"),
            sequence: sequence,
            group: group,
            record: RecordReference(table, id),
            kind: kind,
            base: base,
            fields: fields,
            unset: unset,
            force: force,
            merge: merge,
            action: action,
            ledger: ledger
        )
    }

    /// A put of a new record.
    func put(
        _ id: RecordID,
        in table: TableName = "notes",
        base: RecordVersion? = nil,
        _ fields: JSONObject
    ) -> PushOperation {
        var fields = fields
        fields["id"] = .string(id.text)
        return operation(.put, id, in: table, base: base, fields)
    }

    // MARK: Requests

    /// Pushes mutations; the results, in their order.
    func push(
        _ operations: [PushOperation],
        dependsOn: [RecordReference] = []
    ) async throws -> [PushResult] {
        let request = PushRequest(
            client: client,
            dataset: dataset,
            acknowledgedThrough: acknowledged,
            operations: try operations.map {
                PushRequest.Operation(text: try $0.text(), dependsOn: dependsOn)
            }
        )
        let results = try await transport.push(request, credentials).results
        #expect(results.map(\.key) == operations.map(\.key), "one result a mutation, in order")
        return results
    }

    /// Pushes one mutation.
    func push(
        _ operation: PushOperation,
        dependsOn: [RecordReference] = []
    ) async throws -> PushResult {
        try #require(await push([operation], dependsOn: dependsOn).first)
    }

    /// Puts a new record that has to be applied; its version.
    @discardableResult
    func create(
        _ id: RecordID,
        in table: TableName = "notes",
        _ fields: JSONObject
    ) async throws -> RecordVersion {
        let result = try await push(put(id, in: table, fields))
        #expect(result.status == .applied)
        return try #require(result.version)
    }

    /// One page of changes.
    func page(
        _ cursor: SyncCursor? = nil,
        scope: ScopeName = ScopeName("all"),
        limit: Int = 100,
        tables: [TableName]? = nil
    ) async throws -> ChangesPage {
        try await transport.changes(
            ChangesRequest(
                client: client,
                dataset: dataset,
                scope: scope,
                cursor: cursor,
                limit: limit,
                tables: tables
            ),
            credentials
        )
    }

    /// All changes behind a cursor, and the new cursor.
    func changes(
        _ cursor: SyncCursor? = nil,
        scope: ScopeName = ScopeName("all"),
        limit: Int = 100,
        tables: [TableName]? = nil
    ) async throws -> (changes: [ServerChange], cursor: SyncCursor, requests: Int) {
        var (changes, cursor, requests): ([ServerChange], SyncCursor?, Int) = ([], cursor, 0)
        while true {
            let page = try await page(cursor, scope: scope, limit: limit, tables: tables)
            changes += page.changes
            cursor = page.cursor
            requests += 1
            if !page.hasMore { return (changes, page.cursor, requests) }
            #expect(requests < 10_000, "a history ends")
        }
    }

    /// A page of a snapshot.
    func snapshot(
        after: SyncCursor? = nil,
        scope: ScopeName = ScopeName("all"),
        limit: Int = 100,
        tables: [TableName]? = nil
    ) async throws -> SnapshotPage {
        try await transport.snapshot(
            SnapshotRequest(
                client: client,
                dataset: dataset,
                scope: scope,
                after: after,
                limit: limit,
                tables: tables
            ),
            credentials
        )
    }
}

/// The status and the type of a refusal.
func refusal(
    of body: () async throws -> Void
) async throws -> (status: Int, type: String?) {
    do {
        try await body()
    } catch let failure as TransportFailure {
        guard case .refused(let status) = failure.kind else { throw failure }
        return (status, failure.problem?.type)
    }
    Issue.record("the request was not refused")
    return (0, nil)
}
