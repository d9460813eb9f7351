public import Holdfast
public import HoldfastSync

/// A transaction on a served store: what it writes gets versions and positions, so that every
/// client is told.
///
/// It lives inside of the closure that it is handed to. What is read is the state after every
/// earlier commit, and the transaction's own writes.
public struct ServerTransaction: ~Copyable {
    var transaction: WriteTransaction
    var edit: PendingEdit
    private var idFields: [TableName: String] = [:]
    let dataset: DatasetRecord
    let server: SyncServer
    /// Who writes; `nil` for the server itself.
    let author: ClientID?
    /// For whom.
    let principal: Principal?
    /// The server's clock when it began, in milliseconds since 1970.
    let now: Int64

    init(
        _ transaction: consuming WriteTransaction,
        _ dataset: DatasetRecord,
        of server: SyncServer,
        author: ClientID?,
        principal: Principal?
    ) {
        self.transaction = transaction
        self.dataset = dataset
        self.server = server
        self.author = author
        self.principal = principal
        edit = PendingEdit(head: dataset.head)
        now = server.configuration.clock()
    }

    /// The dataset, with what was written so far.
    var known: DatasetRecord {
        var known = dataset
        known.head = edit.head
        return known
    }

    consuming func end() -> WriteTransaction { transaction }

    // MARK: Reading

    /// The record with an id, or `nil` where there is none.
    ///
    /// - Throws: `StoreError` when it cannot be read back.
    public mutating func get(_ id: RecordID, in table: TableName) throws -> JSONObject? {
        try slot(of: RecordReference(table, id)).object
    }

    /// The version of a record, or of its tombstone; `nil` where neither is.
    ///
    /// - Throws: `StoreError` when it cannot be read back.
    public mutating func version(of id: RecordID, in table: TableName) throws -> RecordVersion? {
        try slot(of: RecordReference(table, id)).metadata?.version
    }

    /// A record, read once.
    mutating func slot(of record: RecordReference) throws -> RecordSlot {
        if let slot = edit.slots[record] { return slot }
        let slot = try storedSlot(of: record)
        edit.slots[record] = slot
        return slot
    }

    /// A record as it is stored, whatever was written since.
    func storedSlot(of record: RecordReference) throws -> RecordSlot {
        var slot = try transaction.slot(of: record)
        if let form = server.form, record.table != LedgerEntry.table {
            slot.metadata = slot.metadata?.stepped(to: form)
        }
        return slot
    }

    /// The field that holds a table's ids, which never becomes another one.
    mutating func idField(of table: TableName) throws -> String {
        if let field = idFields[table] { return field }
        let field = try transaction.idField(of: table)
        idFields[table] = field
        return field
    }

    // MARK: Writing

    /// Writes a record whole.
    ///
    /// - Parameters:
    ///   - object: The record; without an id field it gets the id.
    ///   - id: Its id.
    ///   - table: The table.
    /// - Returns: Its version.
    /// - Throws: `StoreError`; nothing was written.
    @discardableResult
    public mutating func put(
        _ object: JSONObject,
        of id: RecordID,
        in table: TableName
    ) throws -> RecordVersion {
        let record = RecordReference(table, id)
        var object = object
        let field = try idField(of: table)
        if object[field].flatMap({ RecordID(wire: $0) }) != id { object[field] = .string(id.text) }
        return try write(object, of: record, .whole)
    }

    /// Sets and removes top-level fields of a record, which keeps its id.
    ///
    /// - Returns: Its version.
    /// - Throws: `StoreError` `.noSuchRecord`, or another; nothing was written.
    @discardableResult
    public mutating func patch(
        _ id: RecordID,
        in table: TableName,
        with fields: JSONObject,
        removing removed: [String] = []
    ) throws -> RecordVersion {
        let record = RecordReference(table, id)
        guard var object = try slot(of: record).object else {
            throw StoreError(
                .noSuchRecord,
                "There is no record with this id.",
                table: table,
                id: id
            )
        }
        let idField = try idField(of: table)
        let names = Set(fields.map(\.name) + removed).subtracting([idField])
        for name in removed where names.contains(name) { object[name] = nil }
        for (name, value) in fields where names.contains(name) { object[name] = value }
        return try write(object, of: record, .fields(names))
    }

    /// Deletes a record; its tombstone tells every client.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `StoreError`; nothing was written.
    @discardableResult
    public mutating func delete(_ id: RecordID, in table: TableName) throws -> Bool {
        try remove(RecordReference(table, id)) != nil
    }
}

/// What a write says of the fields of a record.
enum Touched: Hashable, Sendable {
    /// All of them, also those that are not there.
    case whole
    /// These.
    case fields(Set<String>)
}

extension ServerTransaction {
    /// Writes a record, in the scope that it says.
    ///
    /// Without a form it keeps its own: what the server itself writes it makes of what is there.
    @discardableResult
    mutating func write(
        _ object: JSONObject,
        of record: RecordReference,
        _ touched: Touched,
        scope: ScopeName? = nil,
        form: Int? = nil
    ) throws -> RecordVersion {
        var slot = try slot(of: record)
        let scope = try scope ?? server.configuration.checkedScope(record, object, principal)
        let version = try edit.nextVersion()
        let stamp = RecordMetadata.Stamp(version: version, author: author)
        var metadata =
            slot.metadata ?? RecordMetadata(version: version, scope: scope, author: author)
        metadata.scope = scope
        metadata.version = version
        if case .fields(let names) = touched, slot.object != nil {
            for name in names { metadata.fields[name] = stamp }
        } else {
            metadata.whole = stamp
            metadata.fields = [:]
            let kept = slot.object == nil ? 0 : metadata.form
            metadata.form = server.form(of: record, noted: form ?? kept)
        }
        metadata.isTombstone = false
        slot.metadata = metadata
        slot.object = object
        edit.set(slot, of: record)
        return version
    }

    /// Deletes a record.
    ///
    /// - Returns: The tombstone's version; `nil` where there was no record.
    mutating func remove(_ record: RecordReference) throws -> RecordVersion? {
        var slot = try slot(of: record)
        guard var metadata = slot.metadata, slot.object != nil else { return nil }
        let version = try edit.nextVersion()
        metadata.version = version
        metadata.whole = RecordMetadata.Stamp(version: version, author: author)
        metadata.fields = [:]
        metadata.isTombstone = true
        slot.metadata = metadata
        slot.object = nil
        edit.set(slot, of: record)
        return version
    }
}

extension Transaction where Self: ~Copyable {
    /// A record as it is stored.
    func slot(of record: RecordReference) throws -> RecordSlot {
        guard let metadata = try metadata(of: record) else {
            return RecordSlot(metadata: nil, object: nil)
        }
        if metadata.isTombstone { return RecordSlot(metadata: metadata, object: nil) }
        return RecordSlot(metadata: metadata, object: try get(record.id, in: record.table))
    }

    /// What is known of a record.
    func metadata(of record: RecordReference) throws -> RecordMetadata? {
        try systemValue(for: ServerKey.record(record)).map { try RecordMetadata($0) }
    }

    /// What is known of a scope.
    func scopeRecord(_ scope: ScopeName) throws -> ScopeRecord {
        try systemValue(for: ServerKey.scope(scope)).map { try ScopeRecord($0) } ?? ScopeRecord()
    }

    /// What is known of the dataset; `nil` in a store that was never served.
    func datasetRecord() throws -> DatasetRecord? {
        try systemValue(for: ServerKey.dataset).map { try DatasetRecord($0) }
    }
}

extension RecordID {
    /// The id that a field holds: text, or an integer.
    init?(wire value: JSONValue) {
        switch value {
        case .string(let text): try? self.init(text)
        case .integer(let number): self.init(number)
        default: return nil
        }
    }
}
