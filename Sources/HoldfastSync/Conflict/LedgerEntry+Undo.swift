package import Holdfast

extension LedgerEntry {
    /// What undoing a decision writes: an ordinary new edit.
    package enum Undo: Hashable, Sendable {
        /// The record becomes this.
        case put(JSONObject)
        /// The record is deleted.
        case delete
        /// The record is not any more as the decision left it: there is nothing to undo.
        case stale
    }

    /// What brings back the discarded value.
    ///
    /// - Parameters:
    ///   - current: The record as it is now; `nil` for none.
    ///   - idField: The table's id field, which stays as it is.
    /// - Returns: The same for the same record, on every device.
    package func undo(on current: JSONObject?, idField: String) -> Undo {
        guard let field else { return undoWhole(current, idField) }
        guard var object = current, object[field] == kept, kept != discarded, field != idField
        else { return .stale }
        object[field] = discarded
        return .put(object)
    }

    private func undoWhole(_ current: JSONObject?, _ idField: String) -> Undo {
        guard current.map(JSONValue.object) == kept, kept != discarded else { return .stale }
        guard case .object(var object)? = discarded else {
            return discarded == nil ? .delete : .stale
        }
        if let id = current?[idField] { object[idField] = id }
        return .put(object)
    }
}
