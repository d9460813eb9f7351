package import Holdfast

extension PushOperation {
    /// The mutation as an object, without what it waits for.
    package var json: JSONObject {
        var fields: [JSONObject.Element] = [
            ("key", .string(key.text)), ("seq", .integer(sequence)),
            ("schema", .integer(Int64(schema))), ("table", .string(record.table.text)),
            ("id", .string(record.id.text)), ("op", .string(kind.rawValue)),
        ]
        fields.reserveCapacity(15)
        if form > 0 { fields.append(("form", .integer(Int64(form)))) }
        if let group { fields.append(("group", .string(group))) }
        if kind.hasBase { fields.append(("base", base.map { .integer($0.number) } ?? .null)) }
        if kind == .action, let base { fields.append(("base", .integer(base.number))) }
        if let action { fields.append(("action", .string(action))) }
        if kind != .delete { fields.append(("fields", .object(self.fields))) }
        if !unset.isEmpty { fields.append(("unset", .array(unset.map { .string($0) }))) }
        if let force = force.json { fields.append(("force", force)) }
        fields.append(("merge", .string(merge.rawValue)))
        if !ledger.isEmpty {
            fields.append(("ledger", .array(ledger.map { .object($0.json) })))
        }
        return JSONObject(distinct: fields)
    }

    /// The mutation as JSON text: what is frozen, and sent the same each time.
    ///
    /// - Throws: `JSONError` where a number is not finite, or a value nested too deep.
    package func text() throws(JSONError) -> [UInt8] { try json.serializedMessage() }

    /// Reads a mutation's text.
    ///
    /// - Throws: ``WireError``.
    package init(text: [UInt8]) throws(WireError) {
        do {
            try self.init(WireReader(JSONObject(parsingMessage: text)))
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError("is not JSON: \(error)", at: "")
        }
    }

    /// Reads a mutation.
    ///
    /// - Throws: ``WireError``.
    package init(json: JSONObject) throws(WireError) { try self.init(WireReader(json)) }

    package init(_ reader: WireReader) throws(WireError) {
        let kind = try reader.word("op", Kind.self)
        self.init(
            key: MutationKey(try reader.name("key")),
            sequence: try reader.integer("seq", in: 1...Int64.max),
            group: try reader.optionalName("group"),
            schema: try reader.schemaVersion("schema"),
            form: try reader.form,
            record: try reader.record,
            kind: kind,
            base: kind == .delta ? nil : try reader.optionalVersion("base"),
            fields: kind == .delete ? [:] : try reader.object("fields"),
            unset: kind == .patch ? try reader.texts("unset") : [],
            force: try Force(reader),
            merge: reader.has("merge") ? try reader.word("merge", Merge.self) : .none,
            action: kind == .action ? try reader.name("action", atMost: WireLimits.nameBytes) : nil,
            ledger: try reader.optionalObjects("ledger") { (entry) throws(WireError) in
                try LedgerEntry(entry)
            }
        )
    }
}

extension PushOperation.Kind {
    /// Whether it was made on a state that the server compares.
    package var hasBase: Bool {
        switch self {
        case .put, .patch, .delete: true
        case .delta, .action: false
        }
    }
}

extension PushOperation.Force {
    /// `true`, a list of names in the order of their bytes, or nothing.
    fileprivate var json: JSONValue? {
        switch self {
        case .nothing: nil
        case .fields(let names):
            .array(
                names.sorted { UTF8Order.order($0, $1) == .before }.map { .string($0) }
            )
        case .record: .bool(true)
        }
    }

    fileprivate init(_ reader: WireReader) throws(WireError) {
        switch reader.value("force") {
        case nil, .null, .bool(false): self = .nothing
        case .bool(true): self = .record
        case .array: self = .fields(Set(try reader.texts("force")))
        default: throw reader.failure("has to be true or a list of names", at: "force")
        }
    }
}
