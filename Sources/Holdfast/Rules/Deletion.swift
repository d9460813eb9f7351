import HoldfastStorage

/// What deleting a record does by the rules of the references: which records go with it, and which
/// fields become null.
struct Deletion {
    /// The keys of the records to delete, the one that was asked for first.
    private(set) var keys: [[UInt8]]
    /// The keys of records that stay, and the fields of theirs that become null.
    private(set) var nullified: [(key: [UInt8], field: String)] = []

    /// Finds out what has to be done, and changes nothing.
    ///
    /// It follows cascades from record to record, each once, however they lead back. Only then it
    /// looks for records that stay and hold it back: the order of the declarations does not matter.
    ///
    /// - Throws: ``StoreError`` `.stillReferenced`.
    init(of key: [UInt8], by rules: Rules, in state: StoreState) throws {
        keys = [key]
        var deleted: Set<[UInt8]> = [key]
        var position = 0
        while position < keys.count {
            let key = keys[position]
            position += 1
            try Self.forEachReferrer(of: key, [.cascade], by: rules, in: state) {
                _,
                referrer in
                let referrer = referrer.array
                if deleted.insert(referrer).inserted { keys.append(referrer) }
            }
        }
        for key in keys { try settle(key, deleted, by: rules, in: state) }
    }

    /// Looks for records that stay and refer to a record that goes.
    private mutating func settle(
        _ key: [UInt8],
        _ deleted: Set<[UInt8]>,
        by rules: Rules,
        in state: StoreState
    ) throws {
        var holding: (rule: ReferenceRule, key: [UInt8], count: Int)?
        try Self.forEachReferrer(of: key, [.restrict, .nullify], by: rules, in: state) {
            rule,
            referrer in
            let referrer = referrer.array
            if deleted.contains(referrer) { return }
            if rule.reference.onDelete == .nullify {
                nullified.append((referrer, rule.reference.field))
            } else if let held = holding {
                holding?.count += held.rule.isSame(as: rule) ? 1 : 0
            } else {
                holding = (rule, referrer, 1)
            }
        }
        if let holding { throw Self.refusal(of: key, holding.rule, holding.key, holding.count) }
    }

    private static func forEachReferrer(
        of key: [UInt8],
        _ meant: Set<Reference.DeleteRule>,
        by rules: Rules,
        in state: StoreState,
        _ visit: (_ rule: ReferenceRule, _ key: RawSpan) throws -> Void
    ) throws {
        let (table, id) = key.withRawSpan { (RecordKey.table(of: $0), RecordKey.id(of: $0)) }
        for rule in rules[table]?.referrers ?? [] where meant.contains(rule.reference.onDelete) {
            try rule.forEachReferrer(of: id, in: state) { try visit(rule, $0) }
        }
    }

    private static func refusal(
        of key: [UInt8],
        _ rule: ReferenceRule,
        _ referrer: [UInt8],
        _ count: Int
    ) -> StoreError {
        let records = count == 1 ? "A record" : "\(count) records"
        let refer = count == 1 ? "refers" : "refer"
        var error = StoreError(
            .stillReferenced,
            "\(records) of table \(rule.table) still \(refer) to this one by the field"
                + " \(rule.reference.field). Nothing was deleted.",
            table: rule.target,
            id: key.withRawSpan { RecordKey.id(of: $0) },
            field: rule.reference.field
        )
        error.otherTable = rule.table
        error.otherID = referrer.withRawSpan { RecordKey.id(of: $0) }
        return error
    }
}
