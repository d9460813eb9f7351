import Holdfast

extension Mutation.Position {
    var json: JSONValue {
        .array([.integer(Int64(bitPattern: transaction)), .integer(Int64(place))])
    }

    init(_ json: JSONValue, in document: SyncDocument) throws {
        guard let parts = json.arrayValue, parts.count == 2,
            let transaction = parts[0].integerValue, let place = parts[1].integerValue,
            let place = UInt32(exactly: place)
        else { throw document.damage }
        self.init(transaction: UInt64(bitPattern: transaction), place: place)
    }
}

extension Mutation {
    /// The document that is stored under ``SyncKey/mutation(_:_:)``.
    package func encoded() throws -> [UInt8] {
        var object = JSONObject()
        object["key"] = .string(key.text)
        object["table"] = .string(record.table.text)
        object["id"] = .string(record.id.text)
        encodeChange(into: &object)
        switch state {
        case .queued: break
        case .sent(let client, let sequence, let text):
            object["client"] = .string(client.text)
            object["sequence"] = .integer(sequence)
            object["text"] = .string(String(decoding: text, as: UTF8.self))
        case .attention(let problem):
            object["problem"] = .object(problem.stored)
        }
        object["group"] = group.map { .string($0) }
        object["schema"] = .integer(Int64(schema))
        object["created"] = .integer(created)
        switch force {
        case .nothing: break
        case .record: object["force"] = .bool(true)
        case .fields(let names): object["force"] = .array(names.sorted().map { .string($0) })
        }
        object["ledger"] = ledger.isEmpty ? nil : .array(ledger.map { .object($0.json) })
        object["conflicts"] = conflicts == 0 ? nil : .integer(Int64(conflicts))
        object["deferrals"] = deferrals == 0 ? nil : .integer(Int64(deferrals))
        return try Document.encode(object)
    }

    private func encodeChange(into object: inout JSONObject) {
        switch change {
        case .put(let fields):
            object["op"] = "put"
            object["fields"] = .object(fields)
        case .patch(let set, let unset):
            object["op"] = "patch"
            object["fields"] = .object(set)
            object["unset"] = Self.names(unset)
        case .delete:
            object["op"] = "delete"
        case .delta(let amounts):
            object["op"] = "delta"
            object["fields"] = .object(amounts)
        case .action(let name, let arguments, let guess, let unset):
            object["op"] = "action"
            object["action"] = .string(name)
            object["arguments"] = .object(arguments)
            object["fields"] = .object(guess)
            object["unset"] = Self.names(unset)
        }
    }

    private static func names(_ names: Set<String>) -> JSONValue? {
        names.isEmpty ? nil : .array(names.sorted().map { .string($0) })
    }

    /// The mutation of a stored document.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package init(_ bytes: [UInt8], at position: Position) throws {
        let document = try SyncDocument.decode(bytes[...], of: "a mutation")
        guard let table = try? TableName(document.text("table")),
            let id = try? RecordID(document.text("id"))
        else { throw document.damage }
        self.init(
            position: position,
            key: MutationKey(try document.text("key")),
            record: RecordReference(table, id),
            change: try Self.change(in: document)
        )
        state = try Self.state(in: document)
        group = try document.optionalText("group")
        schema = Int(clamping: try document.integer("schema"))
        created = try document.integer("created")
        force = try Self.force(in: document)
        ledger = try (document.optionalArray("ledger") ?? []).map { value in
            guard let entry = value.objectValue.flatMap({ try? LedgerEntry(json: $0) }) else {
                throw document.damage
            }
            return entry
        }
        conflicts = Int(clamping: try document.optionalInteger("conflicts") ?? 0)
        deferrals = Int(clamping: try document.optionalInteger("deferrals") ?? 0)
    }

    private static func change(in document: SyncDocument) throws -> Change {
        let fields = try document.optionalObject("fields") ?? [:]
        switch try document.text("op") {
        case "put": return .put(fields)
        case "patch": return .patch(set: fields, unset: try names("unset", in: document))
        case "delete": return .delete
        case "delta": return .delta(fields)
        case "action":
            return .action(
                name: try document.text("action"),
                arguments: try document.optionalObject("arguments") ?? [:],
                guess: fields,
                unset: try names("unset", in: document)
            )
        default: throw document.damage
        }
    }

    private static func names(_ field: String, in document: SyncDocument) throws -> Set<String> {
        Set(
            try (document.optionalArray(field) ?? []).map { value in
                guard let name = value.stringValue else { throw document.damage }
                return name
            }
        )
    }

    private static func state(in document: SyncDocument) throws -> State {
        if let problem = try document.optionalObject("problem") {
            return .attention(try SyncProblem(stored: SyncDocument(problem, of: "a mutation")))
        }
        guard let text = try document.optionalText("text") else { return .queued }
        return .sent(
            client: ClientID(try document.text("client")),
            sequence: try document.integer("sequence"),
            text: Array(text.utf8)
        )
    }

    private static func force(in document: SyncDocument) throws -> PushOperation.Force {
        if let isForced = try? document.optionalBool("force") {
            return isForced ? .record : .nothing
        }
        let names = try names("force", in: document)
        return names.isEmpty ? .nothing : .fields(names)
    }
}

extension SyncProblem {
    /// The problem as it is stored with what it is about.
    var stored: JSONObject {
        var object: JSONObject = ["type": .string(type), "detail": .string(detail)]
        object["pointer"] = pointer.map { .string($0) }
        return object
    }

    /// The problem of a stored object.
    init(stored document: SyncDocument) throws {
        self.init(
            type: try document.text("type"),
            detail: try document.text("detail"),
            pointer: try document.optionalText("pointer")
        )
    }
}
