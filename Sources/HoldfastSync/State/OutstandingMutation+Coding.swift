import Holdfast

/// FORMAT.md describes the bytes.
extension OutstandingMutation {
    /// The bytes that are stored under ``SyncKey/outstanding(_:_:)``.
    package func encoded() throws -> [UInt8] {
        var writer = StateWriter(capacity: 160)
        writer.append(client.text)
        writer.append(key.text)
        writer.append(record.table.text)
        writer.append(record.id.text)
        writer.append(acknowledged?.number ?? 0)
        return writer.bytes
    }

    /// The mutation of stored bytes.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package init(_ bytes: [UInt8], sequence: Int64) throws {
        var reader = StateReader(bytes, of: "a mutation that was sent")
        let (client, key) = (try reader.text(), try reader.text())
        let (table, id) = (try reader.text(), try reader.text())
        let version = try reader.integer(Int64.self)
        guard let table = try? TableName(table), let id = try? RecordID(id) else {
            throw reader.damage
        }
        try reader.end()
        self.init(
            client: ClientID(client),
            sequence: sequence,
            key: MutationKey(key),
            record: RecordReference(table, id),
            acknowledged: version > 0 ? RecordVersion(version) : nil
        )
    }
}
