import Holdfast

/// Queues a mutation for each write of a synced table's record, in the write's own transaction.
struct OutboxRecorder: TransactionRecorder {
    private let rules: [TableName: SyncRules]
    let version: Int

    init(_ schema: Schema) {
        version = schema.version
        rules = schema.tables.reduce(into: [:]) { $0[$1.name] = $1.syncRules }
    }

    func records(_ table: TableName) -> Bool { rules[table] != nil }

    func record(_ writes: RecordedWrites, in transaction: inout WriteTransaction) throws {
        let name = writes.isAtomicOnServer ? transaction.mintID().text : nil
        var queue = OutboxQueue(
            position: try transaction.nextPosition(),
            group: name.map { OutboxGroup(name: $0) },
            schema: version
        )
        for write in writes.writes {
            guard let rules = rules[write.table] else { continue }
            try queue.add(write, rules, &transaction)
        }
        try queue.group?.check()
    }

    func transform(
        _ table: TableName,
        in transaction: inout WriteTransaction,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws {
        guard let rules = rules[table] else { return }
        for record in try transaction.pendingRecords(of: table) {
            guard let state = try transaction.syncRecord(record) else { continue }
            let migrated = try migrate(state, rules, &transaction) { object, transaction in
                try body(&object, &transaction)
            }
            try transaction.set(migrated, of: record)
        }
    }
}
