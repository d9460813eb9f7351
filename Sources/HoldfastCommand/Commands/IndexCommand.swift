import Holdfast

/// `hold index`.
struct IndexCommand: Command {
    static let syntax = CommandSyntax(
        "index",
        "declare an index of a table",
        positionals: [.required("STORE"), .required("TABLE"), .required("FIELD[,FIELD...]")],
        options: [
            .flag("unique", "refuse records with equal values in the fields, null apart"),
            .flag("words", "index the words of the fields' texts, for --search"),
            .json,
        ],
        discussion: """
            Queries that compare the first fields for equality, and then one for a range, use \
            it; with --words, those that --search in some or all of these fields. The \
            declaration is kept in the store; declaring an index again changes nothing. The \
            table has to be there.
            """,
        example: "hold index notes.holdfast notes isPinned,updatedAt"
    )

    private let path: String
    private let table: TableName
    private let index: Index

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        if arguments.has("unique"), arguments.has("words") {
            throw UsageError("an index is either --unique or for --words")
        }
        let kind: Index.Kind =
            arguments.has("unique") ? .unique : arguments.has("words") ? .words : .ordered
        index = try arguments.index(2, kind: kind)
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
                "kind": .string(index.kind.rawValue),
                "created": .bool(isNew),
            ])
        } else {
            console.message("\(isNew ? "created" : "there already"): index of \(table) on \(index)")
        }
        return .done
    }
}
