import Holdfast
import HoldfastSync

extension SyncServer {
    /// The form of a record, of which this one was noted when it was written.
    ///
    /// A store with a schema has brought all records to its form when it was opened. The ledger has
    /// none: what it holds of records is as it was.
    func form(of record: RecordReference, noted: Int) -> Int {
        record.table == LedgerEntry.table ? 0 : form ?? noted
    }

    /// Why a mutation cannot be written over a record, as far as their forms go; `nil` where it can.
    ///
    /// A record is in one form as a whole. An older app does not know the fields of a newer form, and
    /// would write others beside them; a newer one sends the whole record.
    func formProblem(of operation: PushOperation, over slot: RecordSlot) -> FormProblem? {
        guard let there = slot.metadata?.form, there > 0, operation.form > 0,
            there != operation.form
        else { return nil }
        if operation.form < there { return .older }
        return operation.kind == .put ? nil : .newer
    }
}

/// How the forms of a mutation and of its record do not go together.
enum FormProblem: Hashable, Sendable {
    /// The mutation is in an older form.
    case older
    /// The mutation is in a newer form, and not the whole record.
    case newer
}
