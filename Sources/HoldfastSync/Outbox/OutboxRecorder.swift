import Holdfast

/// Queues a mutation for each write of a synced table's record, in the write's own transaction.
struct OutboxRecorder: TransactionRecorder {
    private let rules: [TableName: SyncRules]
    /// Which tables are synced where no schema says so.
    private let link: StoreLink?
    let version: Int
    private let forms: [Int]

    init(_ schema: Schema) {
        version = schema.version
        forms = schema.forms
        rules = schema.tables.reduce(into: [:]) { $0[$1.name] = $1.syncRules }
        link = nil
    }

    /// A recorder of a store without a schema.
    init(_ link: StoreLink) {
        version = 0
        forms = []
        rules = [:]
        self.link = link
    }

    func records(_ table: TableName) -> Bool { rules[table] != nil || link?.syncs(table) == true }

    private func rules(
        of table: TableName,
        _ transaction: borrowing WriteTransaction
    ) throws -> SyncRules? {
        if let declared = rules[table] { return declared }
        guard records(table) else { return nil }
        var rules = SyncRules()
        rules.idField = try transaction.idField(of: table)
        return rules
    }

    func record(_ writes: RecordedWrites, in transaction: inout WriteTransaction) throws {
        let name = writes.isAtomicOnServer ? transaction.mintID().text : nil
        var queue = OutboxQueue(
            position: try transaction.nextPosition(),
            group: name.map { OutboxGroup(name: $0) },
            schema: version
        )
        for write in writes.writes {
            guard let rules = try rules(of: write.table, transaction) else { continue }
            try queue.add(write, rules, &transaction)
        }
        try queue.group?.check()
    }

    /// The form that a step leads from.
    func form(before form: Int) -> Int { forms.last { $0 < form } ?? 1 }

    func hasForm(
        _ form: Int,
        _ id: RecordID,
        in table: TableName,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        try transaction.syncRecord(RecordReference(table, id))?.isBeyond(form) ?? false
    }

    func transform(
        _ table: TableName,
        to form: Int,
        in transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws {
        guard let rules = rules[table] else { return }
        for record in try transaction.pendingRecords(of: table) {
            guard let state = try transaction.syncRecord(record) else { continue }
            if state.isBeyond(form) {
                try rewrite(state, of: record, to: form, rules, &transaction, body)
            } else {
                let migrated = try migrate(state, to: form, rules, &transaction, body)
                try transaction.set(migrated, of: record)
            }
        }
    }
}
