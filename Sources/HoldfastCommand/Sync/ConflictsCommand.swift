import Holdfast
import HoldfastSync

/// `hold conflicts`.
struct ConflictsCommand: Command {
    static let syntax = CommandSyntax(
        "conflicts",
        "print what decisions between edits have discarded, or decide and undo",
        positionals: [
            .required("STORE"), .optional("undo|resolve"), .optional("ENTRY|TABLE"),
            .optional("ID"), .optional("local|remote"),
        ],
        options: [.json],
        discussion: """
            undo ENTRY brings back what was discarded, by a new edit. resolve TABLE ID local or \
            remote decides about a record whose app wants to be asked; the other version is kept in \
            the ledger.
            """,
        example: "hold conflicts notes.holdfast\nhold conflicts notes.holdfast undo ENTRY"
    )

    private enum Action {
        case list
        case undo(RecordID)
        case resolve(RecordReference, ConflictChoice)
    }

    private let path: String
    private let action: Action

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        switch arguments.optionalPositional(1) {
        case nil: action = .list
        case "undo":
            guard arguments.optionalPositional(2) != nil else {
                throw UsageError("ENTRY is missing")
            }
            action = .undo(try arguments.id(2))
        case "resolve":
            let choices: [String: ConflictChoice] = ["local": .local, "remote": .remote]
            guard let choice = choices[arguments.positional(4)] else {
                throw UsageError("resolve takes TABLE ID and local or remote")
            }
            let record = RecordReference(try arguments.table(2), try arguments.id(3))
            action = .resolve(record, choice)
        case let word?: throw UsageError("undo or resolve, not '\(word)'")
        }
    }

    func run(_ console: Console) async throws -> ExitStatus {
        switch action {
        case .list: try await list(console)
        case .undo(let entry):
            try await write { try await $0.undo(entry) }
            console.message("brought back")
        case .resolve(let record, let choice):
            try await write { try await $0.resolve(record, choosing: choice) }
            console.message("resolved")
        }
        return .done
    }

    private func write(_ body: (SyncEngine) async throws -> Void) async throws {
        try await StoreSession.run(at: path, .write, writesRecords: true) { store in
            try await body(LinkedStore.offlineEngine(store))
        }
    }

    private func list(_ console: Console) async throws {
        try await StoreSession.run(at: path, .read) { store in
            let engine = try LinkedStore.offlineEngine(store)
            let (waiting, ledger) = (try engine.conflicts(), try engine.ledger(limit: .max))
            if console.isJSON {
                for conflict in waiting { try console.append(conflict.object) }
                for entry in ledger { try console.append(entry.object) }
                return
            }
            if waiting.isEmpty, ledger.isEmpty { return console.message("nothing was discarded") }
            var table = TextTable([
                .init("entry"), .init("table"), .init("id"), .init("field"), .init("discarded"),
                .init("kept"), .init("rule"),
            ])
            for conflict in waiting {
                table.append([
                    "waits", conflict.record.table.text, conflict.record.id.text,
                    conflict.fields.joined(separator: ","), "", "", "ask",
                ])
            }
            for entry in ledger { table.append(entry.cells) }
            console.append(table)
        }
    }
}

extension RecordConflict {
    fileprivate var object: JSONObject {
        [
            "waits": true, "table": .string(record.table.text), "id": .string(record.id.text),
            "fields": .array(fields.map { .string($0) }),
            "local": local.map { .object($0) } ?? .null,
            "remote": remote.map { .object($0) } ?? .null,
        ]
    }
}

extension LedgerEntry {
    fileprivate var cells: [String] {
        [
            id.text, record.table.text, record.id.text, field ?? "",
            discarded.map { "\($0)" } ?? "", kept.map { "\($0)" } ?? "", rule,
        ]
    }

    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "waits": false, "entry": .string(id.text), "table": .string(record.table.text),
            "id": .string(record.id.text), "rule": .string(rule),
        ]
        object["field"] = field.map { .string($0) }
        object["discarded"] = discarded
        object["kept"] = kept
        return object
    }
}
