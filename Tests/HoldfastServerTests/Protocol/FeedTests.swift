import Holdfast
import HoldfastSync
import Testing

/// Pages of changes.
struct FeedTests {
    /// S11, S14.
    @Test(arguments: [0, 1, 4, 5, 6, 10, 11])
    func historyOfAnyLengthNeedsNoPageTooMany(count: Int) async throws {
        let client = try await TestClient(makeSubject())
        for number in 0..<count {
            try await client.create(RecordID(Int64(number)), ["title": "Bread"])
        }
        let (changes, cursor, requests) = try await client.changes(limit: 5)
        #expect(changes.map(\.sequence) == (0..<count).map { Int64($0) + 1 })
        #expect(Set(changes.map(\.record)).count == count)
        #expect(requests == max(1, (count + 4) / 5))
        let rest = try await client.page(cursor)
        #expect(rest.changes.isEmpty)
        #expect(!rest.hasMore)
        #expect(rest.cursor == cursor)
    }

    @Test func recordStandsAtItsNewestPlaceOnly() async throws {
        let client = try await TestClient(makeSubject())
        let first = try await client.create("a", ["x": 1])
        try await client.create("b", ["x": 1])
        let cursor = try await client.changes().cursor
        let patch = try await client.push(client.operation(.patch, "a", base: first, ["x": 2]))
        let all = try await client.changes().changes
        #expect(all.map(\.record.id) == ["b", "a"])
        #expect(all.map(\.sequence) == [2, 3])
        #expect(all.last?.version == patch.version)
        #expect(try await client.changes(cursor).changes.map(\.record.id) == ["a"])
    }

    /// S12.
    @Test func tombstonesAndTwoTablesUnderOneLimitLoseNothing() async throws {
        let client = try await TestClient(makeSubject())
        for number in 0..<7 {
            let id = RecordID(Int64(number))
            let version = try await client.create(id, ["x": 1])
            try await client.create(id, in: "folders", ["x": 1])
            if number % 2 == 0 {
                _ = try await client.push(client.operation(.delete, id, base: version))
            }
        }
        let changes = try await client.changes(limit: 2).changes
        #expect(changes.count == 14)
        #expect(changes.filter { $0.kind == .delete }.count == 4)
        #expect(changes.map(\.sequence) == changes.map(\.sequence).sorted())
    }

    @Test func tablesNarrowAndBindTheCursor() async throws {
        let client = try await TestClient(makeSubject())
        for number in 0..<50 { try await client.create(RecordID(Int64(number)), ["x": 1]) }
        try await client.create("f", in: "folders", ["x": 1])
        let (changes, cursor, requests) = try await client.changes(limit: 1, tables: ["folders"])
        #expect(changes.map(\.record.table) == ["folders"])
        #expect(requests <= 4, "what others follow is passed over many at a time")
        #expect(try await client.page(cursor, tables: ["folders"]).changes.isEmpty)
        for tables: [TableName]? in [nil, ["notes"], ["folders", "notes"]] {
            let refused = try await refusal { _ = try await client.page(cursor, tables: tables) }
            #expect(refused == (410, ProblemType.cursorExpired))
        }
    }

    @Test func cursorThatNoServerWroteIsExpired() async throws {
        let client = try await TestClient(makeSubject())
        try await client.create("a", ["x": 1])
        let cursor = try await client.changes().cursor
        let scope = ScopeName("mine")
        for text in ["x", "-", "0-0", "\(cursor)0", "\(cursor)-1", "9-9223372036854775807"] {
            let refused = try await refusal { _ = try await client.page(SyncCursor(text)) }
            #expect(refused == (410, ProblemType.cursorExpired))
        }
        let foreign = try await refusal { _ = try await client.page(cursor, scope: scope) }
        #expect(foreign == (403, ProblemType.scopeRevoked))
    }

    @Test func pageEndsWhereItIsLargeEnough() async throws {
        let subject = try await makeSubject(ProtocolLimits(pageBytes: 1_000))
        let client = try await TestClient(subject)
        let text = JSONValue.string(String(repeating: "x", count: 600))
        for number in 0..<5 { try await client.create(RecordID(Int64(number)), ["text": text]) }
        let (changes, _, requests) = try await client.changes()
        #expect(changes.count == 5)
        #expect(requests == 3)
        var (count, after): (Int, SyncCursor?) = (0, nil)
        repeat {
            let page = try await client.snapshot(after: after)
            count += page.records.count
            after = page.next
            #expect(page.records.count <= 2)
        } while after != nil
        #expect(count == 5)
    }

    /// S15.
    @Test func cursorBeforePurgedDeletionIsExpiredAndLaterOneIsNot() async throws {
        let subject = try await makeSubject()
        let client = try await TestClient(subject)
        let version = try await client.create("a", ["x": 1])
        try await client.create("b", ["x": 1])
        let early = try await client.changes().cursor
        let deletion = try await client.push(client.operation(.delete, "a", base: version))
        let late = try await client.changes().cursor
        try await subject.purge()
        let refused = try await refusal { _ = try await client.page(early) }
        #expect(refused == (410, ProblemType.cursorExpired))
        let fresh = try await refusal { _ = try await client.page(nil) }
        #expect(fresh == (410, ProblemType.cursorExpired), "a deletion may have been missed")
        #expect(try await client.page(late).changes.isEmpty)
        let hello = try await subject.transport.hello(client.credentials)
        #expect(hello.floor == deletion.version)
        // What is purged is gone for ever on that base, and may be made anew without one.
        let stale = try await client.push(client.put("a", base: version, ["x": 2]))
        #expect(stale.problem?.type == ProblemType.purged)
        let anew = try await client.push(client.put("a", ["x": 2]))
        #expect(anew.status == .applied)
        #expect(try #require(anew.version) > (try #require(deletion.version)))
    }
}
