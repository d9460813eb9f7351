import Holdfast
import HoldfastSync
import Testing

/// Snapshots, and histories that begin anew.
struct SnapshotTests {
    @Test func snapshotIsPagedInOrderAndChangesGoOnBehindIt() async throws {
        let client = try await TestClient(makeSubject())
        var versions: [RecordVersion] = []
        for number in 10..<20 {
            versions.append(try await client.create(RecordID(Int64(number)), ["x": 1]))
        }
        try await client.create("f", in: "folders", ["x": 1])
        let first = try await client.snapshot(limit: 4)
        #expect(first.head == RecordVersion(11))
        // While it is read, one record of a later page changes, one goes, and one comes.
        _ = try await client.push(
            client.operation(.patch, RecordID(15), base: versions[5], ["x": 2])
        )
        _ = try await client.push(client.operation(.delete, RecordID(16), base: versions[6]))
        try await client.create(RecordID(165), ["x": 3])
        var records = first.records
        var after = first.next
        while let cursor = after {
            let page = try await client.snapshot(after: cursor, limit: 4)
            #expect(page.head == first.head)
            #expect(page.cursor == first.cursor)
            records += page.records
            after = page.next
        }
        #expect(
            records.map(\.record.id.text) == [
                "f", "10", "11", "12", "13", "14", "15", "165", "17", "18", "19",
            ]
        )
        #expect(records.first { $0.record.id == RecordID(15) }?.fields?["x"] == 2)
        let changes = try await client.changes(first.cursor).changes
        #expect(changes.map(\.record.id.text) == ["15", "16", "165"])
        #expect(changes.map(\.kind) == [.put, .delete, .put])
    }

    @Test func snapshotOfTablesHasNoOthers() async throws {
        let client = try await TestClient(makeSubject())
        for table: TableName in ["folders", "notes", "zebras"] {
            for number in 0..<3 {
                try await client.create(RecordID(Int64(number)), in: table, ["x": 1])
            }
        }
        var (records, after): ([ServerChange], SyncCursor?) = ([], nil)
        repeat {
            let page = try await client.snapshot(
                after: after,
                limit: 2,
                tables: ["zebras", "folders"]
            )
            records += page.records
            after = page.next
        } while after != nil
        #expect(records.map(\.record.table.text).filter { $0 == "notes" }.isEmpty)
        #expect(records.count == 6)
        let page = try await client.snapshot(limit: 1)
        let refused = try await refusal {
            _ = try await client.snapshot(after: page.next, tables: ["notes"])
        }
        #expect(refused == (410, ProblemType.cursorExpired))
    }

    @Test func emptyScopeHasOneEmptyPage() async throws {
        let client = try await TestClient(makeSubject())
        let page = try await client.snapshot()
        #expect(page.records.isEmpty)
        #expect(page.next == nil)
        #expect(page.head == RecordVersion(0))
        #expect(try await client.page(page.cursor).changes.isEmpty)
    }

    @Test func snapshotThatAPurgeOvertookBeginsAgain() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let version = try await client.create("a", ["x": 1])
        for id: RecordID in ["b", "c"] { try await client.create(id, ["x": 1]) }
        let page = try await client.snapshot(limit: 1)
        _ = try await client.push(client.operation(.delete, "a", base: version))
        try await subject.purge()
        let refused = try await refusal {
            _ = try await client.snapshot(after: page.next, limit: 1)
        }
        #expect(refused == (410, ProblemType.cursorExpired))
        #expect(try await client.snapshot().records.map(\.record.id) == ["b", "c"])
    }

    @Test func snapshotCursorThatNoServerWroteIsExpired() async throws {
        let client = try await TestClient(makeSubject())
        for id: RecordID in ["a", "b"] { try await client.create(id, ["x": 1]) }
        let next = try #require(await client.snapshot(limit: 1).next).text
        let parts = next.split(separator: "-")
        for text in ["x", "-----", "1" + next, "\(parts[0])-0-0-1", "\(parts[0])-0-9-5-notesa"] {
            let refused = try await refusal {
                _ = try await client.snapshot(after: SyncCursor(text), limit: 1)
            }
            #expect(refused == (410, ProblemType.cursorExpired))
        }
    }

    // MARK: Epochs

    /// S41, the server's half.
    @Test func newEpochRefusesOldCursorsAndNeverReusesVersions() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let version = try await client.create("a", ["x": 1])
        let cursor = try await client.changes().cursor
        let before = try await subject.transport.hello(client.credentials)
        try await subject.beginEpoch()
        let after = try await subject.transport.hello(client.credentials)
        #expect(after.dataset == before.dataset)
        #expect(after.epoch != before.epoch)
        #expect(before.epochStart == RecordVersion(0))
        #expect(after.epochStart == version)
        let refused = try await refusal { _ = try await client.page(cursor) }
        #expect(refused == (410, ProblemType.cursorExpired))
        let snapshot = try await client.snapshot()
        #expect(snapshot.epoch == after.epoch)
        let lost = RecordVersion(version.number + 3)
        #expect(snapshot.lost.count == 1)
        #expect(snapshot.lost.first?.lowerBound == RecordVersion(version.number + 1))
        #expect(snapshot.lost.first?.contains(lost) == true)
        #expect(snapshot.records.map(\.version) == [version])
        for merge: PushOperation.Merge in [.fields, .none] {
            let patch = client.operation(.patch, "a", base: lost, ["y": 1], merge: merge)
            let result = try await client.push(patch)
            #expect(result.status == .conflict, "a lost base says nothing of what changed since")
        }
        let next = try await client.create("b", ["x": 1])
        #expect(next.number > version.number + 1_000_000_000)
        let late = client.operation(.patch, "b", base: lost, ["x": 2])
        #expect(try await client.push(late).status == .conflict)
    }
}
