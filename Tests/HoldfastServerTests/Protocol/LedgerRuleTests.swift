import Holdfast
import HoldfastSync
import Testing

/// What a mutation discards, and a mutation that does nothing but say so.
struct LedgerRuleTests {
    private func loss(
        of discarded: JSONValue,
        in field: String? = nil,
        at version: RecordVersion? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            id: "loss",
            record: RecordReference("notes", "a"),
            field: field,
            discarded: discarded,
            kept: nil,
            discardedVersion: version,
            rule: "deleteWins"
        )
    }

    private func ledger(_ client: TestClient) async throws -> [JSONObject] {
        try await client.snapshot().records
            .filter { $0.record.table == LedgerEntry.table }
            .compactMap(\.fields)
    }

    /// A client that lost an edit to a deletion has nothing else to send.
    @Test(arguments: [false, true])
    func whatADeletionDiscardedIsStoredBesideTheTombstone(isPurged: Bool) async throws {
        let subject = try await LocalSubject(overHTTP: true)
        let client = try await TestClient(subject)
        let version = try await client.create("a", ["title": "Bread"])
        let deletion = try await client.push(client.operation(.delete, "a", base: version))
        if isPurged { try await subject.purge() }
        let note = client.operation(
            .patch,
            "a",
            base: isPurged ? nil : deletion.version,
            ledger: [loss(of: ["id": "a", "title": "Soup"])]
        )
        #expect(try await client.push(note).status == .noop)
        let entries = try await ledger(client)
        #expect(entries.count == 1)
        #expect(entries.first?["author"] == "client-phone")
    }

    @Test func theAuthorOfALostValueIsKnownThoughOtherFieldsChangedSince() async throws {
        let subject = try await LocalSubject(overHTTP: true)
        let (ann, eve) = (try await TestClient(subject), try await TestClient(subject, "desk"))
        let first = try await eve.create("a", ["title": "Bread", "body": "x"])
        let second = try await ann.push(ann.operation(.patch, "a", base: first, ["body": "y"]))
        let patch = ann.operation(
            .patch,
            "a",
            base: second.version,
            ["title": "Soup"],
            ledger: [loss(of: "Bread", in: "title", at: second.version)]
        )
        #expect(try await ann.push(patch).status == .applied)
        #expect(try await ledger(ann).first?["author"] == "client-desk")
    }
}
