import Holdfast
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Testing

/// Records and mutations of two forms.
struct FormTests {
    private static let second = Schema(version: 2) { Table("notes") }
        .migrate("cents", from: 1, representationOnly: true) { transaction in
            try transaction.transform("notes") { note, _ in
                guard let price = note["price"] else { return }
                guard let units = price.integerValue else { throw NoPrice() }
                note["price"] = .integer(units * 100)
            }
        }
    private static let first = Schema(version: 1) { Table("notes") }

    private struct NoPrice: Error {}

    private func client(
        _ schema: Schema? = nil,
        on storage: MemoryStorage = MemoryStorage()
    ) async throws -> TestClient {
        try await TestClient(transport: Self.serve(schema, on: storage))
    }

    private static func serve(
        _ schema: Schema?,
        on storage: MemoryStorage = MemoryStorage()
    ) async throws -> LocalTransport {
        let store = try await Store(storage: storage, schema: schema)
        return LocalTransport(server: try await SyncServer(store: store))
    }

    @Test func recordHasTheFormOfWhatWroteItWhole() async throws {
        let client = try await client()
        let created = try await client.push(client.put("a", ["x": 1]).of(form: 2))
        #expect(created.form == 2)
        let base = created.version
        let patch = client.operation(.patch, "a", base: base, ["x": 2]).of(form: 2)
        #expect(try await client.push(patch).form == 2)
        #expect(try await client.push(patch).form == 2, "replayed")
        #expect(try await client.changes().changes.map(\.form) == [2])
        #expect(try await client.snapshot().records.map(\.form) == [2])
        let deleted = client.operation(.delete, "a", base: RecordVersion(2)).of(form: 1)
        #expect(try await client.push(deleted).form == 0)
        #expect(try await client.changes().changes.map(\.form) == [0])
    }

    @Test(arguments: [0, 2])
    func whereAFormIsUnknownNothingIsRefused(_ form: Int) async throws {
        let client = try await client()
        let base = try await client.push(client.put("a", ["x": 1, "n": 1]).of(form: 2 - form))
            .version
        let patch = client.operation(.patch, "a", base: base, ["x": 2]).of(form: form)
        #expect(try await client.push(patch).status == .applied)
        let delta = client.operation(.delta, "a", ["n": 1]).of(form: form)
        let result = try await client.push(delta)
        #expect(result.status == .applied && result.form == 2 - form)
    }

    @Test func whatAnOlderFormWritesOverANewerOneIsRefusedAndChangesNothing() async throws {
        let client = try await client()
        let base = try await client.push(client.put("a", ["x": 1, "n": 1]).of(form: 2)).version
        let refused = [
            client.operation(.patch, "a", base: base, ["x": 2], force: .record).of(form: 1),
            client.put("a", base: base, ["x": 2]).of(form: 1),
            client.operation(.delta, "a", ["n": 1]).of(form: 1),
        ]
        for result in try await client.push(refused) {
            #expect(result.status == .rejected)
            #expect(result.problem?.type == ProblemType.olderForm)
        }
        // What is so already, and what is on another base, is answered as ever.
        let same = client.operation(.patch, "a", base: base, ["x": 1]).of(form: 1)
        #expect(try await client.push(same).status == .noop)
        let stale = client.operation(.put, "a", ["id": "a", "x": 3]).of(form: 1)
        let conflict = try await client.push(stale)
        #expect(conflict.status == .conflict && conflict.form == 2)
        #expect(conflict.record == ["id": "a", "x": 1, "n": 1])
        // A tombstone keeps the form of its record; a deletion has none.
        let deletion = client.operation(.delete, "a", base: base).of(form: 1)
        let tombstone = try await client.push(deletion)
        #expect(tombstone.status == .applied)
        let revival = client.put("a", base: tombstone.version, ["x": 2])
        #expect(try await client.push(revival.of(form: 1)).status == .rejected)
        let newer = client.put("a", base: tombstone.version, ["x": 2])
        #expect(try await client.push(newer.of(form: 3)).form == 3)
    }

    @Test func newerFormComesWithTheWholeRecord() async throws {
        let client = try await client()
        let base = try await client.push(client.put("a", ["x": 1, "n": 1]).of(form: 1)).version
        let patch = client.operation(.patch, "a", base: base, ["x": 2], force: .record)
        let delta = client.operation(.delta, "a", ["n": 1])
        for result in try await client.push([patch.of(form: 2), delta.of(form: 2)]) {
            #expect(result.status == .conflict && result.version == base && result.form == 1)
        }
        let put = client.put("a", base: base, ["x": 2, "n": 1]).of(form: 2)
        #expect(try await client.push(put).form == 2)
        let again = client.operation(.delta, "a", ["n": 1]).of(form: 2)
        #expect(try await client.push(again).status == .applied)
    }

    @Test func groupMayTakeARecordToItsFormAndGoOn() async throws {
        let client = try await client()
        let base = try await client.push(client.put("a", ["x": 1, "n": 1]).of(form: 1)).version
        let group = [
            client.operation(.put, "a", base: base, ["id": "a", "x": 2, "n": 1], group: "g"),
            client.operation(.patch, "a", base: base, ["y": 1], group: "g"),
            client.operation(.delta, "a", ["n": 1], group: "g"),
        ]
        let results = try await client.push(group.map { $0.of(form: 2) })
        #expect(results.map(\.status) == [.applied, .applied, .applied])
        #expect(results.last?.record == ["id": "a", "x": 2, "n": 2, "y": 1])
    }

    // MARK: A server that knows the schema

    @Test func serverPutsANewerFormOffUntilItKnowsIt() async throws {
        let storage = MemoryStorage()
        let client = try await client(Self.first, on: storage)
        let put = client.put("a", ["price": 200]).of(form: 2)
        let result = try await client.push(put)
        #expect(result.status == .deferred && result.problem?.type == ProblemType.schemaAhead)
        let updated = try await TestClient(transport: Self.serve(Self.second, on: storage))
        #expect(try await updated.push(put).status == .applied)
    }

    @Test func whatAnOldAppMakesIsStoredInTheServersForm() async throws {
        let client = try await client(Self.second)
        let result = try await client.push(client.put("a", ["price": 2]).of(form: 1))
        #expect(result.status == .applied && result.form == 2)
        #expect(result.record == ["id": "a", "price": 200])
        let refused = try await client.push(client.put("b", ["price": "2"]).of(form: 1))
        #expect(refused.status == .rejected && refused.problem?.type == ProblemType.invalid)
        #expect(try await client.changes().changes.map(\.record.id) == ["a"])
        // Sent again under another key, when the first is forgotten, it is the same.
        let resent = try await client.push(client.put("a", ["price": 2]).of(form: 1))
        #expect(resent.status == .noop && resent.form == 2 && resent.version == result.version)
        let forced = client.operation(.put, "a", ["id": "a", "price": 3], force: .record)
        #expect(try await client.push(forced.of(form: 1)).status == .rejected)
        // It is there now, so that the old app cannot make it.
        let again = try await client.push(client.put("a", ["price": 3]).of(form: 1))
        #expect(again.status == .conflict)
    }

    @Test func recordsThatTheServersUpdateSteppedAreOfItsFormAndMergeWithNothingOlder() async throws
    {
        let storage = MemoryStorage()
        let old = try await client(Self.first, on: storage)
        let base = try await old.push(old.put("a", ["price": 2, "x": 1]).of(form: 1)).version
        let edit = old.operation(.patch, "a", base: base, ["price": 3]).of(form: 1)
        let version = try #require(await old.push(edit).version)
        let new = try await TestClient(transport: Self.serve(Self.second, on: storage), "new")
        let change = try #require(await new.changes().changes.first)
        #expect(change.form == 2 && change.version == version)
        #expect(change.fields == ["id": "a", "price": 300, "x": 1])
        let stale = new.operation(.patch, "a", base: base, ["x": 2]).of(form: 2)
        #expect(try await new.push(stale).status == .conflict)
        let fresh = new.operation(.patch, "a", base: version, ["x": 2]).of(form: 2)
        let applied = try await new.push(fresh)
        #expect(applied.status == .applied && applied.form == 2)
        let other = new.operation(.patch, "a", base: version, ["price": 400]).of(form: 2)
        #expect(try await new.push(other).status == .merged)
    }

    @Test func aStoreThatWasServedWithoutASchemaIsNotSteppedTwice() async throws {
        let storage = MemoryStorage()
        let client = try await client(on: storage)
        _ = try await client.push(client.put("a", ["price": 200]).of(form: 2))
        _ = try await client.push(client.put("b", ["price": 2]).of(form: 1))
        await #expect(throws: StoreError.self) {
            _ = try await Self.serve(Self.second, on: storage)
        }
        let again = try await TestClient(transport: Self.serve(nil, on: storage), "again")
        #expect(try await again.changes().changes.map { $0.fields?["price"] } == [200, 2])
        // A schema that has no such step changes nothing of what is there.
        _ = try await Self.serve(Self.first, on: storage)
    }

    @Test func ledgerHasNoForm() async throws {
        let client = try await client(Self.first)
        let base = try await client.push(client.put("a", ["x": 1]).of(form: 1)).version
        let first = client.operation(.patch, "a", base: base, ["x": 2]).of(form: 1)
        _ = try await client.push(first)
        let second = client.operation(.patch, "a", base: base, ["x": 3], force: .fields(["x"]))
        #expect(try await client.push(second.of(form: 1)).status == .merged)
        let changes = try await client.changes().changes
        #expect(changes.first { $0.record.table == LedgerEntry.table }?.form == 0)
        #expect(changes.first { $0.record.table == "notes" }?.form == 1)
        // What it holds of a record does.
        #expect(changes.compactMap { $0.fields?["rule"] == nil ? nil : $0.fields?["form"] } == [1])
    }
}

extension PushOperation {
    /// The mutation as one of a form.
    fileprivate func of(form: Int) -> PushOperation {
        var operation = self
        operation.form = form
        return operation
    }
}
