import Holdfast
import HoldfastSync

/// `hold outbox`.
struct OutboxCommand: Command {
    static let syntax = CommandSyntax(
        "outbox",
        "print the changes that the server has not taken, or decide about one",
        positionals: [.required("STORE"), .optional("retry|discard"), .optional("KEY")],
        options: [.json],
        discussion: """
            retry sends a change that the server refused once more. discard gives it up, with \
            those that mean nothing without it: the record is again as the server has it.
            """,
        example: "hold outbox notes.holdfast\nhold outbox notes.holdfast discard KEY"
    )

    private enum Action: String { case retry, discard }

    private let path: String
    private let action: Action?
    private let key: MutationKey

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        key = MutationKey(arguments.optionalPositional(2) ?? "")
        guard let word = arguments.optionalPositional(1) else {
            action = nil
            return
        }
        action = Action(rawValue: word)
        guard action != nil else { throw UsageError("retry or discard, not '\(word)'") }
        if arguments.optionalPositional(2) == nil { throw UsageError("KEY is missing") }
    }

    func run(_ console: Console) async throws -> ExitStatus {
        guard let action else { return try await list(console) }
        try await StoreSession.run(at: path, .write, writesRecords: true) { store in
            let engine = try LinkedStore.offlineEngine(store)
            switch action {
            case .retry:
                try await engine.retry(key)
                console.message("the change is sent again with the next sync")
            case .discard:
                let gone = try await engine.discard(key)
                console.message("discarded \(gone.count.counted("change"))")
            }
        }
        return .done
    }

    private func list(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .read) { store in
            let changes = try LinkedStore.offlineEngine(store).pendingChanges(limit: .max)
            if console.isJSON {
                for change in changes { try console.append(change.object) }
                return
            }
            if changes.isEmpty { return console.message("nothing waits") }
            var table = TextTable([
                .init("key"), .init("table"), .init("id"), .init("does"), .init("fields"),
                .init("state"),
            ])
            for change in changes {
                table.append([
                    change.id.text, change.record.table.text, change.record.id.text,
                    change.kind.rawValue, change.fields.joined(separator: ","), change.state,
                ])
            }
            console.append(table)
        }
        return .done
    }
}

extension PendingChange {
    fileprivate var state: String {
        if let problem { return "refused: \(problem.detail)" }
        return isSent ? "sent, no answer yet" : "waits"
    }

    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "key": .string(id.text), "table": .string(record.table.text),
            "id": .string(record.id.text), "kind": .string(kind.rawValue),
            "fields": .array(fields.map { .string($0) }), "created": .integer(created),
            "sent": .bool(isSent),
        ]
        object["group"] = group.map { .string($0) }
        object["problem"] = problem.map {
            ["type": .string($0.type), "detail": .string($0.detail)]
        }
        return object
    }
}
