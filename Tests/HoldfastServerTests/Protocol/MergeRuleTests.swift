import Holdfast
import HoldfastSync
import Testing

/// Patches on an older base: the server keeps a version for each field.
struct MergeRuleTests {
    @Test func patchesOfDifferentFieldsMerge() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "stars": 1])
        let first = client.operation(.patch, "a", base: base, ["title": "Soup"])
        #expect(try await client.push(first).status == .applied)
        let second = client.operation(.patch, "a", base: base, ["stars": 2])
        let result = try await client.push(second)
        #expect(result.status == .merged)
        #expect(result.record == ["id": "a", "title": "Soup", "stars": 2])
        // A third, on the base of both: each field was changed once since.
        let third = client.operation(.patch, "a", base: base, ["stars": 3])
        let conflict = try await client.push(third)
        #expect(conflict.status == .conflict)
        #expect(conflict.record == ["id": "a", "title": "Soup", "stars": 2])
        let fourth = client.operation(.patch, "a", base: base, ["color": "red"])
        #expect(try await client.push(fourth).status == .merged)
    }

    @Test func mergeNoneConflictsOnAnyOtherBase() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "stars": 1])
        _ = try await client.push(client.operation(.patch, "a", base: base, ["title": "Soup"]))
        let patch = client.operation(.patch, "a", base: base, ["stars": 2], merge: .none)
        #expect(try await client.push(patch).status == .conflict)
    }

    /// S42.
    @Test func fieldThatWasRemovedOrNeverThereHasVersionToo() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "stars": 1])
        let unset = client.operation(.patch, "a", base: base, unset: ["stars"])
        #expect(try await client.push(unset).status == .applied)
        let stale = client.operation(.patch, "a", base: base, ["stars": 2])
        #expect(try await client.push(stale).status == .conflict)
        let other = client.operation(.patch, "a", base: base, ["title": "Soup"])
        #expect(try await client.push(other).record == ["id": "a", "title": "Soup"])
    }

    @Test func putMakesEveryFieldNewAlsoAbsentOnes() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "stars": 1])
        let put = client.put("a", base: base, ["title": "Bread"])
        #expect(try await client.push(put).status == .applied)
        for fields: JSONObject in [["title": "Soup"], ["stars": 2], ["color": "red"]] {
            let patch = client.operation(.patch, "a", base: base, fields)
            #expect(try await client.push(patch).status == .conflict)
        }
    }

    @Test func fieldThatHasTheValueAlreadyStandsInNobodysWay() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread", "stars": 1])
        _ = try await client.push(client.operation(.patch, "a", base: base, ["title": "Soup"]))
        let same = client.operation(.patch, "a", base: base, ["title": "Soup", "stars": 2])
        #expect(try await client.push(same).status == .merged)
        let equal = client.operation(.patch, "a", base: base, ["stars": 2])
        #expect(try await client.push(equal).status == .noop)
    }

    @Test func deltaCountsAsChangeOfItsField() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["votes": 1])
        _ = try await client.push(client.operation(.delta, "a", ["votes": 1]))
        let patch = client.operation(.patch, "a", base: base, ["votes": 0])
        #expect(try await client.push(patch).status == .conflict)
    }

    // MARK: Force and the ledger

    @Test func forcedFieldIsWrittenAndWhatItReplacesIsInTheLedger() async throws {
        let subject = try await makeSubject()
        let (phone, tablet) = (
            try await TestClient(subject, "phone"), try await TestClient(subject, "tablet")
        )
        let base = try await phone.create("a", ["title": "Bread", "stars": 1])
        let lost = try await phone.push(
            phone.operation(.patch, "a", base: base, ["title": "Soup"])
        )
        let forced = tablet.operation(
            .patch,
            "a",
            base: base,
            ["title": "Pie", "stars": 2],
            force: .fields(["title"])
        )
        let result = try await tablet.push(forced)
        #expect(result.status == .merged)
        #expect(result.record == ["id": "a", "title": "Pie", "stars": 2])
        let entry = try #require(await ledger(phone).first)
        #expect(entry.record == RecordReference("notes", "a"))
        #expect(entry.field == "title")
        #expect(entry.discarded == "Soup")
        #expect(entry.kept == "Pie")
        #expect(entry.discardedVersion == lost.version)
        #expect(entry.keptVersion == result.version)
        #expect(entry.rule == "serverOrder")
        #expect(entry.author == phone.client, "the one who lost is told")
    }

    @Test func forceOnItsBaseAndOfOwnValueDiscardNothing() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread"])
        let forced = client.operation(
            .patch,
            "a",
            base: base,
            ["title": "Soup"],
            force: .fields(["title"])
        )
        #expect(try await client.push(forced).status == .applied)
        let same = client.operation(
            .patch,
            "a",
            base: base,
            ["title": "Soup", "x": 1],
            force: .fields(["title"])
        )
        #expect(try await client.push(same).status == .merged)
        #expect(try await ledger(client).isEmpty)
    }

    @Test func valueThatTheMutationNamesIsNotNamedTwice() async throws {
        let client = try await TestClient(makeSubject())
        let record = RecordReference("notes", "a")
        let base = try await client.create("a", ["title": "Bread"])
        let lost = try await client.push(
            client.operation(.patch, "a", base: base, ["title": "Soup"])
        )
        let entry = LedgerEntry(
            id: LedgerEntry.id(
                for: record,
                field: "title",
                discarding: .state(try #require(lost.version))
            ),
            record: record,
            field: "title",
            discarded: "Soup",
            kept: "Pie",
            discardedVersion: lost.version,
            rule: "latest(by: at)"
        )
        let forced = client.operation(
            .patch,
            "a",
            base: base,
            ["title": "Pie"],
            force: .fields(["title"]),
            ledger: [entry]
        )
        let result = try await client.push(forced)
        let entries = try await ledger(client)
        #expect(entries.count == 1)
        #expect(entries.first?.rule == "latest(by: at)")
        #expect(entries.first?.keptVersion == result.version)
        #expect(entries.first?.author == client.client)
    }

    @Test func forcedDeleteKeepsTheWholeRecordInTheLedger() async throws {
        let client = try await TestClient(makeSubject())
        let base = try await client.create("a", ["title": "Bread"])
        let lost = try await client.push(
            client.operation(.patch, "a", base: base, ["title": "Soup"])
        )
        _ = try await client.push(client.operation(.delete, "a", base: base, force: .record))
        let entry = try #require(await ledger(client).first)
        #expect(entry.field == nil)
        #expect(entry.discarded == ["id": "a", "title": "Soup"])
        #expect(entry.kept == nil)
        #expect(entry.discardedVersion == lost.version)
    }

    @Test func patchOfNothingStoresItsLedgerOnceAndIsNoop() async throws {
        let client = try await TestClient(makeSubject())
        let version = try await client.create("a", ["title": "Bread"])
        let tombstone = try await client.push(client.operation(.delete, "a", base: version))
        for (id, base): (RecordID, RecordVersion?) in [("a", tombstone.version), ("never", nil)] {
            let record = RecordReference("notes", id)
            let key = MutationKey("lost")
            let entry = LedgerEntry(
                id: LedgerEntry.id(for: record, field: nil, discarding: .edit(key, on: version)),
                record: record,
                field: nil,
                discarded: ["id": .string(id.text), "title": "Mine"],
                kept: nil,
                rule: "deleteWins"
            )
            for _ in 1...2 {
                let patch = client.operation(.patch, id, base: base, ledger: [entry])
                #expect(try await client.push(patch).status == .noop)
            }
        }
        let entries = try await ledger(client)
        #expect(entries.map(\.record.id) == ["a", "never"])
        #expect(entries.allSatisfy { $0.author == client.client })
    }

    private func ledger(_ client: TestClient) async throws -> [LedgerEntry] {
        try await client.changes().changes
            .filter { $0.record.table == LedgerEntry.table }
            .map { try LedgerEntry(json: $0.fields ?? [:]) }
    }
}
