import Holdfast
import HoldfastSync

/// Stores what a mutation discards, as records in the scope of the record that it is about.
struct LedgerWriter {
    let operation: PushOperation
    let client: ClientID
    /// The scopes that the principal sees.
    let visible: Set<ScopeName>
    /// The record before the mutation.
    let slot: RecordSlot

    /// Stores the mutation's own entries, and one for each value that it overwrote without naming
    /// it.
    func store(
        _ overwritten: [Overwritten],
        in transaction: inout ServerTransaction
    ) throws {
        let after = try transaction.slot(of: operation.record)
        let scope = try after.metadata?.scope ?? slot.metadata?.scope ?? scope(in: transaction)
        guard let scope else { return }
        for entry in operation.ledger {
            try store(completed(entry, after.metadata), scope, in: &transaction)
        }
        for value in overwritten where !isNamed(value) {
            try store(entry(for: value, after.metadata), scope, in: &transaction)
        }
    }

    /// The scope of a record that is gone: where it would be as it was discarded.
    private func scope(in transaction: borrowing ServerTransaction) throws -> ScopeName? {
        let object = operation.ledger.lazy.compactMap(\.discarded?.objectValue).first
        let scope = try transaction.server.configuration.checkedScope(
            operation.record,
            object ?? [:],
            transaction.principal
        )
        return visible.contains(scope) ? scope : visible.min { $0.text < $1.text }
    }

    /// Whether the mutation knew the value that it replaces.
    private func isNamed(_ value: Overwritten) -> Bool {
        operation.ledger.contains { entry in
            entry.record == operation.record && entry.discarded == value.discarded
                && entry.field == value.field
        }
    }

    /// A client's entry with what only the server knows.
    private func completed(_ entry: LedgerEntry, _ after: RecordMetadata?) -> LedgerEntry {
        var entry = entry
        if entry.keptVersion == nil { entry.keptVersion = after?.version }
        guard entry.author == nil else { return entry }
        guard let version = entry.discardedVersion else {
            entry.author = client
            return entry
        }
        guard let metadata = slot.metadata else { return entry }
        // The client knows the version of the record; the field may have been as it is for longer.
        let stamps = entry.field.map { [metadata.stamp(of: $0)] } ?? metadata.stamps
        let newest = stamps.max { $0.version < $1.version }
        if let newest, newest.version <= version { entry.author = newest.author }
        return entry
    }

    private func entry(for value: Overwritten, _ after: RecordMetadata?) -> LedgerEntry {
        LedgerEntry(
            id: LedgerEntry.id(
                for: operation.record,
                field: value.field,
                discarding: .state(value.version)
            ),
            record: operation.record,
            field: value.field,
            discarded: value.discarded,
            kept: value.kept,
            discardedVersion: value.version,
            keptVersion: after?.version,
            rule: "serverOrder",
            author: value.author,
            form: slot.form
        )
    }

    /// The same decision, made twice, is one entry.
    private func store(
        _ entry: LedgerEntry,
        _ scope: ScopeName,
        in transaction: inout ServerTransaction
    ) throws {
        let record = RecordReference(LedgerEntry.table, entry.id)
        guard try transaction.slot(of: record).metadata == nil else { return }
        try transaction.write(entry.json, of: record, .whole, scope: scope)
    }
}

extension JSONObject {
    /// Whether the ledger can hold it one day: there it stands one level deeper than as a record.
    var fitsLedger: Bool { allSatisfy { $0.value.nests(atMost: JSONValue.nestingLimit - 1) } }
}

extension LedgerEntry {
    /// Whether it can be stored.
    var fits: Bool {
        (discarded?.nests(atMost: JSONValue.nestingLimit) ?? true)
            && (kept?.nests(atMost: JSONValue.nestingLimit) ?? true)
    }
}

extension JSONValue {
    /// Whether arrays and objects stand in each other at most so deep; it looks no deeper.
    fileprivate func nests(atMost levels: Int) -> Bool {
        switch self {
        case .null, .bool, .integer, .double, .string: true
        case .array(let elements):
            levels > 0 && elements.allSatisfy { $0.nests(atMost: levels - 1) }
        case .object(let object):
            levels > 0 && object.allSatisfy { $0.value.nests(atMost: levels - 1) }
        }
    }
}
