package import Holdfast

extension LedgerEntry {
    /// The entry as an object: in a mutation, and as the record that it becomes.
    package var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id.text), "table": .string(record.table.text),
            "record": .string(record.id.text),
        ]
        if let field { object["field"] = .string(field) }
        object["discarded"] = discarded
        object["kept"] = kept
        if let discardedVersion { object["discardedVersion"] = .integer(discardedVersion.number) }
        if let keptVersion { object["keptVersion"] = .integer(keptVersion.number) }
        object["rule"] = .string(rule)
        if form > 0 { object["form"] = .integer(Int64(form)) }
        if let author { object["author"] = .string(author.text) }
        return object
    }

    /// Reads an entry.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) { try self.init(WireReader(json)) }

    package init(_ reader: WireReader) throws(WireError) {
        var field: String?
        if reader.has("field") {
            guard case .string(let name)? = reader.value("field") else {
                throw reader.failure("has to be a text", at: "field")
            }
            field = name
        }
        self.init(
            id: try reader.recordID("id"),
            record: RecordReference(try reader.table("table"), try reader.recordID("record")),
            field: field,
            discarded: reader.value("discarded"),
            kept: reader.value("kept"),
            discardedVersion: try reader.optionalVersion("discardedVersion"),
            keptVersion: try reader.optionalVersion("keptVersion"),
            rule: try reader.name("rule", atMost: WireLimits.nameBytes),
            author: try reader.optionalName("author").map { ClientID($0) },
            form: try reader.form
        )
    }
}
