import Holdfast

/// `hold watch`.
struct WatchCommand: Command {
    static let syntax = CommandSyntax(
        "watch",
        "print the changes of a table from now on",
        positionals: [.required("STORE"), .required("TABLE")],
        options: CommandSyntax.Option.conditions + [.json],
        discussion: """
            Each change is a line {"seq", "table", "id", "kind", "record"}, also when another \
            process made it; kind is put or delete, and a delete has no record. A delete is \
            printed whatever the conditions say. Ctrl-C ends it, with exit status 130.
            """,
        example: "hold watch notes.holdfast notes --where 'isPinned = true'"
    )

    private let path: String
    private let table: TableName
    private let filters: [Filter]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        filters = try arguments.filters()
    }

    func run(_ console: Console) async throws -> ExitStatus {
        do {
            try await StoreSession.run(at: path, .read) { store in
                let start = try store.sequenceNumber
                console.message("watching \(table) behind sequence number \(start)")
                for try await commit in store.changes(after: start) {
                    try print(commit, console)
                }
            }
        } catch is CancellationError {
            // Ctrl-C is the way to end it, and no failure to speak of.
        }
        return .interrupted
    }

    private func print(_ commit: StoreCommit, _ console: Console) throws {
        for change in commit.changes where shows(change) {
            console.output.append(try change.line(at: commit).serializedAroundRecords())
            console.output.append("\n")
        }
        try console.output.flush()
    }

    private func shows(_ change: RecordChange) -> Bool {
        guard change.table == table else { return false }
        guard let record = change.record else { return true }
        return filters.allSatisfy { $0.matches(record) }
    }
}

extension RecordChange {
    fileprivate func line(at commit: StoreCommit) -> JSONObject {
        [
            "seq": .integer(Int64(clamping: commit.sequenceNumber.rawValue)),
            "table": .string(table.text),
            "id": .string(id.text),
            "kind": .string(kind.rawValue),
            "record": record.map { .object($0) } ?? .null,
        ]
    }
}
