package import Holdfast

extension LedgerEntry {
    /// What a decision discards, as far as its entry's id goes.
    package enum Discarded: Hashable, Sendable {
        /// What the server has, at this version.
        case state(RecordVersion)
        /// What a mutation wrote that never got to the server, made on this version.
        case edit(MutationKey, on: RecordVersion)
    }

    /// The id of the entry for a decision.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - field: The field; `nil` for the whole record.
    ///   - discarded: What is discarded.
    /// - Returns: The same for the same decision, on every replica and on the server.
    package static func id(
        for record: RecordReference,
        field: String?,
        discarding discarded: Discarded
    ) -> RecordID {
        var derived = DerivedID("ledger", of: record)
        derived.append(field)
        switch discarded {
        case .state(let version):
            derived.append(version.number)
        case .edit(let key, let base):
            derived.append(key.text)
            derived.append(base.number)
        }
        return derived.id
    }
}
