import Holdfast
import HoldfastSync
import Testing

@Suite struct UndoTests {
    private func entry(
        _ field: String?,
        _ discarded: JSONValue?,
        for kept: JSONValue?
    ) -> LedgerEntry {
        LedgerEntry(
            id: RecordID(1),
            record: .note,
            field: field,
            discarded: discarded,
            kept: kept,
            rule: "serverOrder"
        )
    }

    private func undo(_ entry: LedgerEntry, on current: JSONObject?) -> LedgerEntry.Undo {
        entry.undo(on: current, idField: "id")
    }

    @Test func undoBringsBackADiscardedValue() {
        #expect(
            undo(entry("a", 2, for: 3), on: ["id": "n1", "a": 3, "b": 9])
                == .put(["id": "n1", "a": 2, "b": 9])
        )
        #expect(undo(entry("a", nil, for: 3), on: ["id": "n1", "a": 3]) == .put(["id": "n1"]))
        #expect(undo(entry("a", 2, for: nil), on: ["id": "n1"]) == .put(["id": "n1", "a": 2]))
    }

    @Test func undoIsRefusedOnceTheFieldMovedOn() {
        #expect(undo(entry("a", 2, for: 3), on: ["id": "n1", "a": 4]) == .stale)
        #expect(undo(entry("a", 2, for: 3), on: ["id": "n1", "a": 2]) == .stale)
        #expect(undo(entry("a", 2, for: 3), on: ["id": "n1"]) == .stale)
        #expect(undo(entry("a", 2, for: nil), on: nil) == .stale)
        #expect(undo(entry("id", "x", for: "n1"), on: ["id": "n1"]) == .stale)
    }

    @Test func undoBringsBackARecordThatADeletionDiscarded() {
        let lost = entry(nil, ["id": "n1", "a": 2], for: nil)
        #expect(undo(lost, on: nil) == .put(["id": "n1", "a": 2]))
        #expect(undo(lost, on: ["id": "n1"]) == .stale)
    }

    @Test func undoBringsBackADeletionThatAnEditDiscarded() {
        let lost = entry(nil, nil, for: ["id": "n1", "a": 2])
        #expect(undo(lost, on: ["a": 2, "id": "n1"]) == .delete)
        #expect(undo(lost, on: ["a": 3, "id": "n1"]) == .stale)
        #expect(undo(lost, on: nil) == .stale)
    }

    @Test func undoKeepsTheIDAsTheRecordHasIt() {
        let lost = entry(nil, ["id": "1", "a": 1], for: ["id": 1, "a": 2])
        #expect(undo(lost, on: ["id": 1, "a": 2]) == .put(["id": 1, "a": 1]))
    }

    @Test(arguments: [JSONValue?.none, .some(7), .some([1])])
    func whatIsNoRecordIsNeverWrittenAsOne(kept: JSONValue?) {
        #expect(undo(entry(nil, 5, for: kept), on: nil) == .stale)
    }

    @Test func oneDecisionHasOneIDAndEveryOtherAnother() {
        let record = RecordReference("notes", "n1")
        let other = RecordReference("notes", "n2")
        let key = MutationKey("k")
        let ids: [RecordID] = [
            LedgerEntry.id(for: record, field: "a", discarding: .state(RecordVersion(1))),
            LedgerEntry.id(for: record, field: "a", discarding: .state(RecordVersion(2))),
            LedgerEntry.id(for: record, field: "b", discarding: .state(RecordVersion(1))),
            LedgerEntry.id(for: record, field: nil, discarding: .state(RecordVersion(1))),
            LedgerEntry.id(for: record, field: "", discarding: .state(RecordVersion(1))),
            LedgerEntry.id(for: other, field: "a", discarding: .state(RecordVersion(1))),
            LedgerEntry.id(for: record, field: "a", discarding: .edit(key, on: RecordVersion(1))),
            LedgerEntry.id(for: record, field: "a", discarding: .edit(key, on: RecordVersion(2))),
        ]
        #expect(Set(ids).count == ids.count)
        #expect(ids[0].text == "27332cde-8fc9-83b3-a269-b70b98f31b9c")
    }
}
