package import Holdfast

/// Undoes decisions of the ledger: each undoing is an ordinary new edit.
package enum UndoCommand {
    /// Brings back what a decision discarded.
    ///
    /// - Parameters:
    ///   - id: The entry's id in the ledger.
    ///   - schema: The app's schema: values of an older form are brought to its own.
    ///   - transaction: A transaction that is recorded, as an app's own.
    /// - Throws: ``SyncError`` `.noSuchEntry`, or `.stale` when the record is not any more as the
    ///   decision left it; nothing was changed.
    package static func undo(
        _ id: RecordID,
        _ schema: Schema?,
        in transaction: inout WriteTransaction
    ) throws {
        guard let object = try transaction.get(id, in: LedgerEntry.table),
            let stored = try? LedgerEntry(json: object)
        else {
            throw SyncError(.noSuchEntry, "The ledger has no such entry; list it again.")
        }
        let entry = try stored.stepped(to: schema, &transaction)
        let (table, id) = (entry.record.table, entry.record.id)
        let current = try transaction.get(id, in: table)
        switch entry.undo(on: current, idField: try transaction.idField(of: table)) {
        case .put(let object): try transaction.put(object, in: table, id: id)
        case .delete: try transaction.delete(id, in: table)
        case .stale:
            throw SyncError(
                .stale,
                "The record has been edited since this was decided, so that nothing is undone; edit"
                    + " it where that is wanted.",
                table: table,
                id: id,
                field: entry.field
            )
        }
    }
}

extension SyncError.Code {
    /// The ledger has no such entry.
    public static let noSuchEntry = Self("noSuchEntry")
    /// The record is not any more as the decision left it.
    public static let stale = Self("stale")
}
