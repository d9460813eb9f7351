import Holdfast
import HoldfastSync

/// Whether, at rest, each edit is on the server, was replaced by someone who had seen it, or is in
/// the ledger.
struct EditAudit {
    /// What is on the server at the end.
    struct Outcome {
        var records: [RecordReference: JSONObject] = [:]
        var ledger: [LedgerEntry] = []
    }

    private let history: EditHistory
    private let rules: [TableName: SyncRules]
    private let idFields: [TableName: String]
    private let outcome: Outcome
    private let ledger: [RecordReference: [LedgerEntry]]
    /// Whether the server was set back, so that deletions and sums may be of an earlier time.
    private let serverWasRestored: Bool
    /// Authors that were set back: what waited in a backup is sent as if it were new, and may bring
    /// back what was deleted and forgotten meanwhile.
    private let restoredAuthors: Set<Int>

    init(
        _ history: EditHistory,
        rules: [TableName: SyncRules],
        idFields: [TableName: String],
        _ outcome: Outcome,
        serverWasRestored: Bool,
        restoredAuthors: Set<Int>
    ) {
        self.history = history
        self.rules = rules
        self.idFields = idFields
        self.outcome = outcome
        self.serverWasRestored = serverWasRestored
        self.restoredAuthors = restoredAuthors
        ledger = Dictionary(grouping: outcome.ledger, by: \.record)
    }

    /// The first thing that is not accounted for.
    func finding() -> SimulationFinding? {
        for record in history.records {
            guard let rules = rules[record.table] else { continue }
            let edits = history.edits(of: record).filter { $0.fate != .lost }
            if let finding = RecordAudit(self, record, rules, edits).finding() { return finding }
        }
        return nil
    }
}

extension EditAudit {
    /// The audit of one record.
    fileprivate struct RecordAudit {
        private let record: RecordReference
        private let rules: SyncRules
        private let edits: [Edit]
        private let ledger: [LedgerEntry]
        private let final: JSONObject?
        private let idField: String
        private let audit: EditAudit

        init(_ audit: EditAudit, _ record: RecordReference, _ rules: SyncRules, _ edits: [Edit]) {
            self.audit = audit
            self.record = record
            self.rules = rules
            self.edits = edits
            ledger = audit.ledger[record] ?? []
            final = audit.outcome.records[record]
            idField = audit.idFields[record.table] ?? "id"
        }

        func finding() -> SimulationFinding? {
            for edit in edits where edit.fate == .valid {
                if let finding = edit.isDeletion ? deletion(edit) : fields(edit) { return finding }
            }
            if rules.kind == .mutable, let finding = counters() { return finding }
            return nil
        }

        private func deletion(_ edit: Edit) -> SimulationFinding? {
            guard final != nil, !audit.serverWasRestored else { return nil }
            let isRevived = edits.contains {
                !$0.isDeletion
                    && ($0.fate == .excused || !edit.known.contains($0.number)
                        || audit.restoredAuthors.contains($0.author) || isSentInParts($0))
            }
            if isRevived { return nil }
            return SimulationFinding(
                .deletedStaysDeleted,
                "It lives on the server, though it was deleted by \(name(edit.author)) and nobody"
                    + " has edited it without having seen that",
                record
            )
        }

        /// Whether an edit may be known by its values alone: the steps of counters are sent apart
        /// from them, and a deletion that had not seen the steps gave way to them, by the ledger.
        private func isSentInParts(_ edit: Edit) -> Bool {
            guard edit.changes.contains(where: { isCounter($0.field) }),
                edit.changes.contains(where: { !isCounter($0.field) })
            else { return false }
            return ledger.contains { $0.field == nil && $0.rule == "editWins" }
        }

        fileprivate func isCounter(_ field: String) -> Bool {
            if case .counter = rules[field].kind { true } else { false }
        }

        private func fields(_ edit: Edit) -> SimulationFinding? {
            if rules.kind == .serverAuthoritative { return nil }
            guard let final else {
                return isGoneForAReason(edit)
                    ? nil
                    : SimulationFinding(
                        .editsAreAccountedFor,
                        "It is gone from the server, and nobody who deleted it had seen the edit of"
                            + " \(name(edit.author))",
                        record
                    )
            }
            for change in edit.changes where change.field != idField {
                if isAccountedFor(change, of: edit, final) { continue }
                return SimulationFinding(
                    .editsAreAccountedFor,
                    "The field \(change.field) was set to \(text(change.new)) by"
                        + " \(name(edit.author)); the server has \(text(final[change.field])), and"
                        + " the ledger has no word of it",
                    record
                )
            }
            return nil
        }

        private func isGoneForAReason(_ edit: Edit) -> Bool {
            if audit.serverWasRestored { return true }
            if edits.contains(where: { $0.isDeletion && $0.mayBeKnown.contains(edit.number) }) {
                return true
            }
            // Whoever deleted it may have seen the same values without what came between.
            let isUndone = edits.contains { deletion in
                deletion.isDeletion
                    && edit.changes.allSatisfy {
                        isReplaced($0, of: edit) || deletion.before?[$0.field] == $0.new
                            || isCountedBack($0.field, unknownTo: deletion)
                    }
            }
            if isUndone { return true }
            if rules.deletes == .deleteWins, edits.contains(where: \.isDeletion) { return true }
            return ledger.contains { entry in
                entry.field == nil || edit.changes.contains { $0.field == entry.field }
            }
        }

        /// Whether the steps of a counter that a deletion knew nothing of add up to nothing.
        ///
        /// Its device cannot tell the record from the one that was deleted. What it may have known,
        /// and what a person discarded, before or after it was sent, counts either way.
        private func isCountedBack(_ field: String, unknownTo deletion: Edit) -> Bool {
            guard isCounter(field) else { return false }
            var sums: Set<Int64> = [0]
            for other in edits where !deletion.known.contains(other.number) {
                let step = other.changes.filter { $0.field == field }.reduce(Int64(0)) {
                    $0 &+ (Self.number($1.new) ?? 0) &- (Self.number($1.old) ?? 0)
                }
                let isUncertain =
                    other.fate == .excused || deletion.mayBeKnown.contains(other.number)
                let with = Set(sums.map { $0 &+ step })
                sums = isUncertain ? sums.union(with) : with
            }
            return sums.contains(0)
        }

        private func isAccountedFor(
            _ change: Edit.FieldChange,
            of edit: Edit,
            _ final: JSONObject
        ) -> Bool {
            let value = final[change.field]
            if value == change.new || isReplaced(change, of: edit) { return true }
            switch rules[change.field].kind {
            case .counter, .custom: return true
            case .maximum: return isInOrder(change.new, value) || isDiscarded(change)
            case .minimum: return isInOrder(value, change.new) || isDiscarded(change)
            case .set, .text:
                // What becomes of each element and line is looked at by itself.
                return SetAudit(edits, change.field).finds(change, of: edit, in: value)
                    || isDiscarded(change)
            case .keepBoth: return isKept(change) || isDiscarded(change)
            case .serverOrder, .serverWins, .latest, .ask: return isDiscarded(change)
            }
        }

        /// Whether someone who may have seen it has changed the field again or deleted the record,
        /// or whether the value is one of several that cannot be told apart.
        private func isReplaced(_ change: Edit.FieldChange, of edit: Edit) -> Bool {
            var sources = 0
            for other in edits {
                let touches = other.changes.contains { $0.field == change.field }
                if other.number != edit.number, other.mayBeKnown.contains(edit.number),
                    other.isDeletion || touches
                {
                    return true
                }
                for same in other.changes where same.field == change.field {
                    if same.new == change.new || same.old == change.new { sources += 1 }
                }
            }
            // Its own replacement has this value as its old one, but that was looked at above.
            return sources > 1
        }

        private func isDiscarded(_ change: Edit.FieldChange) -> Bool {
            ledger.contains { entry in
                var discarded = entry.discarded
                if let field = entry.field {
                    guard field == change.field else { return false }
                } else {
                    guard case .object(let object)? = entry.discarded else { return false }
                    discarded = object[change.field]
                }
                // A set, or a text, may have been merged with others before it was discarded.
                return discarded == change.new
                    || isMerged(change.field) && SetAudit.holds(change, in: discarded)
            }
        }

        private func isMerged(_ field: String) -> Bool {
            switch rules[field].kind {
            case .set, .text: true
            default: false
            }
        }

        /// Whether another record of the table is the copy that keeps it.
        private func isKept(_ change: Edit.FieldChange) -> Bool {
            audit.outcome.records.contains { other in
                other.key.table == record.table && other.value[change.field] == change.new
            }
        }

        private func isInOrder(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
            let (first, second) = (first ?? .null, second ?? .null)
            return first == second || first.precedes(second)
        }

        private func name(_ author: Int) -> String {
            author == 0 ? "another device" : "replica \(author - 1)"
        }

        private func text(_ value: JSONValue?) -> String { value.map { "\($0)" } ?? "nothing" }
    }
}

extension EditAudit.RecordAudit {
    /// Sums of counters, where nothing is uncertain.
    fileprivate func counters() -> SimulationFinding? {
        guard let final, !audit.serverWasRestored,
            !edits.contains(where: { $0.isDeletion || $0.fate == .excused }),
            edits.count(where: \.isCreation) == 1
        else { return nil }
        for field in Set(edits.flatMap { $0.changes.map(\.field) }).sorted() {
            guard isCounter(field) else { continue }
            var sum: Int64 = 0
            for edit in edits {
                for change in edit.changes where change.field == field {
                    guard let old = Self.number(change.old), let new = Self.number(change.new)
                    else { return nil }
                    sum &+= new &- old
                }
            }
            guard let value = Self.number(final[field]), value != sum,
                !ledger.contains(where: { $0.field == field })
            else { continue }
            return SimulationFinding(
                .oneEffectPerMutation,
                "The counter \(field) is \(value) on the server, and its edits add up to \(sum)",
                record
            )
        }
        return nil
    }

    fileprivate static func number(_ value: JSONValue?) -> Int64? {
        switch value {
        case nil: 0
        case .integer(let number): number
        default: nil
        }
    }
}
