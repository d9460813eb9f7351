import Holdfast

/// FORMAT.md describes the bytes.
extension Mutation {
    private enum Operation: UInt8 {
        case put = 0
        case patch = 1
        case delete = 2
        case delta = 3
        case action = 4
    }

    private enum Stage: UInt8 {
        case queued = 0
        case sent = 1
        case attention = 2
    }

    private static let subject = "a mutation"

    /// The bytes that are stored under ``SyncKey/mutation(_:_:)``.
    package func encoded() throws -> [UInt8] {
        var writer = StateWriter(capacity: 512)
        writer.append(key.text)
        writer.append(record.table.text)
        writer.append(record.id.text)
        try append(change, to: &writer)
        switch state {
        case .queued: writer.append(Stage.queued.rawValue)
        case .sent(let client, let sequence, let text):
            writer.append(Stage.sent.rawValue)
            writer.append(client.text)
            writer.append(sequence)
            writer.append(text)
        case .attention(let problem):
            writer.append(Stage.attention.rawValue)
            writer.append(problem.type)
            writer.append(problem.detail)
            writer.append(problem.pointer)
        }
        writer.append(group)
        writer.append(Int64(schema))
        writer.append(created)
        append(force, to: &writer)
        writer.append(UInt32(clamping: ledger.count))
        for entry in ledger { try writer.append(entry.json) }
        writer.append(UInt32(clamping: conflicts))
        writer.append(UInt32(clamping: deferrals))
        writer.append((isFromBackup ? 1 : 0) | (isRemade ? 2 : 0) | (isDoubtful ? 4 : 0) as UInt8)
        if let frozen {
            writer.append(frozen.client.text)
            writer.append(frozen.sequence)
            writer.append(frozen.text)
        }
        return writer.bytes
    }

    private func append(_ change: Change, to writer: inout StateWriter) throws {
        switch change {
        case .put(let object):
            writer.append(Operation.put.rawValue)
            try writer.append(object)
        case .patch(let set, let unset):
            writer.append(Operation.patch.rawValue)
            try writer.append(set)
            writer.append(unset.sorted())
        case .delete:
            writer.append(Operation.delete.rawValue)
        case .delta(let steps):
            writer.append(Operation.delta.rawValue)
            try writer.append(steps)
        case .action(let name, let arguments, let guess, let unset):
            writer.append(Operation.action.rawValue)
            writer.append(name)
            try writer.append(arguments)
            try writer.append(guess)
            writer.append(unset.sorted())
        }
    }

    private func append(_ force: PushOperation.Force, to writer: inout StateWriter) {
        switch force {
        case .nothing: writer.append(0 as UInt8)
        case .record: writer.append(1 as UInt8)
        case .fields(let names):
            writer.append(2 as UInt8)
            writer.append(names.sorted())
        }
    }

    /// The mutation of stored bytes.
    ///
    /// - Throws: ``SyncError`` `.damagedState`.
    package init(_ bytes: [UInt8], at position: Position) throws {
        var reader = StateReader(bytes, of: Self.subject)
        let key = MutationKey(try reader.text())
        let (table, id) = (try reader.text(), try reader.text())
        guard let table = try? TableName(table), let id = try? RecordID(id) else {
            throw reader.damage
        }
        self.init(
            position: position,
            key: key,
            record: RecordReference(table, id),
            change: try Self.change(&reader)
        )
        state = try Self.state(&reader)
        group = try reader.optionalText()
        schema = Int(clamping: try reader.integer(Int64.self))
        created = try reader.integer()
        force = try Self.force(&reader)
        for _ in 0..<(try reader.integer(UInt32.self)) {
            guard let entry = try? LedgerEntry(json: reader.object()) else { throw reader.damage }
            ledger.append(entry)
        }
        conflicts = Int(try reader.integer(UInt32.self))
        deferrals = Int(try reader.integer(UInt32.self))
        let past = try reader.integer(UInt8.self)
        isFromBackup = past & 1 != 0
        isRemade = past & 2 != 0
        isDoubtful = past & 4 != 0
        if !reader.isAtEnd {
            frozen = Frozen(
                client: ClientID(try reader.text()),
                sequence: try reader.integer(),
                text: Array(try reader.block())
            )
        }
        try reader.end()
    }

    /// Whether stored bytes are a mutation with a key that was sent and has a base, without a look
    /// at what it writes.
    static func isSent(_ bytes: [UInt8], under key: MutationKey) throws -> Bool {
        var reader = StateReader(bytes, of: subject)
        guard try reader.text() == key.text else { return false }
        for _ in 0..<2 { _ = try reader.block() }
        switch Operation(rawValue: try reader.integer()) {
        case .put: _ = try reader.block()
        case .patch:
            _ = try reader.block()
            _ = try reader.texts()
        case .delete: break
        case .delta, .action, nil: return false
        }
        return Stage(rawValue: try reader.integer()) == .sent
    }

    private static func change(_ reader: inout StateReader) throws -> Change {
        switch Operation(rawValue: try reader.integer()) {
        case .put: return .put(try reader.object())
        case .patch: return .patch(set: try reader.object(), unset: Set(try reader.texts()))
        case .delete: return .delete
        case .delta: return .delta(try reader.object())
        case .action:
            return .action(
                name: try reader.text(),
                arguments: try reader.object(),
                guess: try reader.object(),
                unset: Set(try reader.texts())
            )
        case nil: throw reader.damage
        }
    }

    private static func state(_ reader: inout StateReader) throws -> State {
        switch Stage(rawValue: try reader.integer()) {
        case .queued: return .queued
        case .sent:
            return .sent(
                client: ClientID(try reader.text()),
                sequence: try reader.integer(),
                text: Array(try reader.block())
            )
        case .attention:
            return .attention(
                SyncProblem(
                    type: try reader.text(),
                    detail: try reader.text(),
                    pointer: try reader.optionalText()
                )
            )
        case nil: throw reader.damage
        }
    }

    private static func force(_ reader: inout StateReader) throws -> PushOperation.Force {
        switch try reader.integer(UInt8.self) {
        case 0: return .nothing
        case 1: return .record
        case 2: return .fields(Set(try reader.texts()))
        default: throw reader.damage
        }
    }
}
