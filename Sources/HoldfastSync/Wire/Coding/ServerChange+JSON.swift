package import Holdfast

extension ServerChange {
    /// The change as an object.
    package var json: JSONObject {
        var object: JSONObject = [
            "scope": .string(scope.text), "table": .string(record.table.text),
            "id": .string(record.id.text), "version": .integer(version.number),
            "seq": .integer(sequence), "op": .string(kind.rawValue),
        ]
        if form > 0 { object["form"] = .integer(Int64(form)) }
        if let fields { object["fields"] = .object(fields) }
        if !mine.isEmpty { object["mine"] = .array(mine.map { .string($0.text) }) }
        return object
    }

    /// Reads a change.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) { try self.init(WireReader(json)) }

    package init(_ reader: WireReader) throws(WireError) {
        let kind = try reader.word("op", Kind.self)
        self.init(
            scope: ScopeName(try reader.name("scope", atMost: WireLimits.nameBytes)),
            record: try reader.record,
            version: try reader.version("version"),
            sequence: try reader.integer("seq", in: 1...Int64.max),
            kind: kind,
            form: try reader.form,
            fields: kind == .put ? try reader.object("fields") : nil,
            mine: try reader.names("mine").map { MutationKey($0) }
        )
    }
}
