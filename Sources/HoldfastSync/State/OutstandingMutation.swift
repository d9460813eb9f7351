import Holdfast

/// A mutation that was sent and is not confirmed: its outcome is unknown, or it was acknowledged
/// and no pull has brought its effect yet.
package struct OutstandingMutation: Hashable, Sendable {
    /// Who sent it.
    package var client: ClientID
    /// Its number.
    package var sequence: Int64
    /// Its key.
    package var key: MutationKey
    /// Its record.
    package var record: RecordReference
    /// The version of its effect, once that is known.
    package var acknowledged: RecordVersion?

    package init(
        client: ClientID,
        sequence: Int64,
        key: MutationKey,
        record: RecordReference,
        acknowledged: RecordVersion? = nil
    ) {
        self.client = client
        self.sequence = sequence
        self.key = key
        self.record = record
        self.acknowledged = acknowledged
    }
}

extension OutstandingMutation {
    package func encoded() throws -> [UInt8] {
        var object: JSONObject = [
            "client": .string(client.text), "key": .string(key.text),
            "table": .string(record.table.text), "id": .string(record.id.text),
        ]
        object["acknowledged"] = acknowledged.map { .integer($0.number) }
        return try Document.encode(object)
    }

    package init(_ bytes: [UInt8], sequence: Int64) throws {
        let document = try SyncDocument.decode(bytes[...], of: "a mutation that was sent")
        guard let table = try? TableName(document.text("table")),
            let id = try? RecordID(document.text("id"))
        else { throw document.damage }
        self.init(
            client: ClientID(try document.text("client")),
            sequence: sequence,
            key: MutationKey(try document.text("key")),
            record: RecordReference(table, id),
            acknowledged: try document.optionalInteger("acknowledged").map { RecordVersion($0) }
        )
    }
}
