import Holdfast

/// `hold delete`.
struct DeleteCommand: Command {
    static let syntax = CommandSyntax(
        "delete",
        "delete a record",
        positionals: [.required("STORE"), .required("TABLE"), .required("ID")],
        options: [.json],
        discussion: "The exit status is 1 when there is no such record.",
        example: "hold delete notes.holdfast notes 7"
    )

    private let path: String
    private let table: TableName
    private let id: RecordID

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        id = try arguments.id(2)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let existed = try await StoreSession.run(at: path, .write, writesRecords: true) { store in
            try await store.write { [table, id] transaction in
                try transaction.delete(id, in: table)
            }
        }
        guard existed else { throw Failure.noRecord(in: table) }
        if console.isJSON { try console.appendAcknowledgement(id) }
        return .done
    }
}
