import Holdfast

/// `hold index`.
struct IndexCommand: Command {
    static let syntax = CommandSyntax(
        "index",
        "declare an index of a table",
        positionals: [.required("STORE"), .required("TABLE"), .required("FIELD[,FIELD...]")],
        options: [.json],
        discussion: """
            Queries that compare the first fields for equality, and then one for a range, use \
            it. The declaration is kept in the store; declaring an index again changes nothing. \
            The table has to be there.
            """,
        example: "hold index notes.holdfast notes isPinned,updatedAt"
    )

    private let path: String
    private let table: TableName
    private let index: Index

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        index = try arguments.index(2)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let isNew = try await StoreSession.run(at: path, .write, usesIndexes: true) { store in
            let isThere = try store.read { try $0.description(of: table) != nil }
            guard isThere else { throw Failure.noTable(table) }
            return try await store.createIndex(index, on: table)
        }
        if console.isJSON {
            try console.append([
                "table": .string(table.text),
                "fields": .array(index.fields.map { .string($0) }),
                "created": .bool(isNew),
            ])
        } else {
            console.message("\(isNew ? "created" : "there already"): index of \(table) on \(index)")
        }
        return .done
    }
}
