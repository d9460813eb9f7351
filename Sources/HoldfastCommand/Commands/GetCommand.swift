import Holdfast

/// `hold get`.
struct GetCommand: Command {
    static let syntax = CommandSyntax(
        "get",
        "print one record",
        positionals: [.required("STORE"), .required("TABLE"), .required("ID")],
        options: [.json],
        discussion: "The exit status is 1 when there is no such record.",
        example: "hold get notes.holdfast notes 01890a5d-ac96-774b-bcce-b302099a8057"
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
        let record = try await StoreSession.run(at: path, .read) { store in
            try store.read { try $0.get(id, in: table) }
        }
        guard let record else { throw Failure.noRecord(in: table) }
        let isForPerson = console.terminal != nil
        console.output.append(try record.serialized(pretty: isForPerson))
        console.output.append("\n")
        return .done
    }
}
