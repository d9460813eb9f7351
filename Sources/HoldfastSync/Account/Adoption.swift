import Holdfast

/// Copies records from one store into another, a part at a time.
struct Adoption: Sendable {
    /// How far it has come, as it is stored in the target.
    private struct Progress: Hashable, Sendable {
        /// The commit of the source that it copies.
        var commit: UInt64
        /// The table that it has come to; `nil` at the end.
        var table: TableName?
        /// The last record of the table.
        var last: RecordID?
    }

    let source: Store
    let target: Store
    private let limit = 500

    init(source: Store, target: Store) {
        self.source = source
        self.target = target
    }

    func run() async throws -> Int {
        let tables = try self.tables
        let commit = try source.sequenceNumber.rawValue
        var progress =
            try target.read { try stored($0) } ?? Progress(commit: 0, table: tables.first)
        if progress.table == nil, progress.commit < commit { progress.table = tables.first }
        progress.commit = commit
        var copied = 0
        while let table = progress.table {
            let (count, last) = try await copy(table, progress, tables)
            copied += count
            progress.last = last
            if last == nil { progress.table = Self.next(after: table, in: tables) }
        }
        return copied
    }

    /// The tables that are synced here: those of the schema, or of the link.
    private var tables: [TableName] {
        get throws {
            if let schema = target.schema {
                return schema.tables
                    .filter { $0.syncRules.map { $0.kind != .serverAuthoritative } ?? false }
                    .map(\.name).sorted()
            }
            let recorder = target.recorder
            return try source.read { try $0.tables() }.map(\.name)
                .filter { recorder?.records($0) == true }.sorted()
        }
    }

    private static func next(after table: TableName, in tables: [TableName]) -> TableName? {
        tables.first { $0 > table }
    }

    /// Copies a part of a table.
    ///
    /// - Returns: How many records were copied, and where to go on; `nil` at the table's end.
    private func copy(
        _ table: TableName,
        _ progress: Progress,
        _ tables: [TableName]
    ) async throws -> (count: Int, last: RecordID?) {
        let objects = try batch(of: table, after: progress.last)
        let last = objects.count < limit ? nil : objects.last?.id
        var reached = progress
        reached.last = last
        if last == nil { reached.table = Self.next(after: table, in: tables) }
        let (key, value) = (key, try Self.encode(reached))
        let isLinked = target.schema == nil
        let idField = try source.read { try $0.idField(of: table) }
        let count = try await target.write { transaction in
            var count = 0
            if isLinked { try transaction.declare(table, idField: idField) }
            // The records keep the rules among themselves once all are here.
            try transaction.withoutRules { transaction in
                for (id, object) in objects {
                    let record = RecordReference(table, id)
                    guard try !transaction.contains(id, in: table),
                        try transaction.syncRecord(record) == nil
                    else { continue }
                    try transaction.put(object, in: table, id: id)
                    count += 1
                }
            }
            try transaction.putSystem(value, for: key)
            return count
        }
        return (count, last)
    }

    private func batch(
        of table: TableName,
        after id: RecordID?
    ) throws -> [(id: RecordID, object: JSONObject)] {
        try source.read { transaction in
            var objects: [(id: RecordID, object: JSONObject)] = []
            try transaction.scanDocuments(in: table, after: id) { id, document in
                objects.append((id, try Document.decode(document)))
                return objects.count < limit
            }
            return objects
        }
    }

    private var key: [UInt8] {
        SyncKey.adoption(of: source.storeID?.description ?? "memory")
    }

    private func stored(_ transaction: borrowing ReadTransaction) throws -> Progress? {
        guard let bytes = try transaction.systemValue(for: key) else { return nil }
        guard let object = try? Document.decode(bytes), let commit = object["commit"]?.integerValue
        else { throw SyncError.damagedState("an adoption") }
        var progress = Progress(commit: UInt64(bitPattern: commit), table: nil)
        progress.table = try object["table"]?.stringValue.map { try TableName($0) }
        progress.last = try object["last"]?.stringValue.map { try RecordID($0) }
        return progress
    }

    private static func encode(_ progress: Progress) throws -> [UInt8] {
        var object: JSONObject = ["commit": .integer(Int64(bitPattern: progress.commit))]
        object["table"] = progress.table.map { .string($0.text) }
        object["last"] = progress.last.map { .string($0.text) }
        return try Document.encode(object)
    }
}
