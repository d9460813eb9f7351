import Holdfast

/// `hold export`.
struct ExportCommand: Command {
    static let syntax = CommandSyntax(
        "export",
        "print all records of a table, or of all tables",
        positionals: [.required("STORE"), .optional("TABLE")],
        options: [
            .value("format", "jsonl|json|csv", "the format (jsonl)"),
            .json,
        ],
        discussion: """
            Records come in the byte order of their ids, fields in stored order, from one state \
            of the store. Without TABLE each line is {"table": ..., "record": ...}. CSV has the \
            fields of all records as columns, and nested values as JSON text.
            """,
        example: "hold export notes.holdfast notes > notes.jsonl"
    )

    private let path: String
    private let table: TableName?
    private let format: RecordFormat

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = arguments.optionalPositional(1) == nil ? nil : try arguments.table(1)
        format = try arguments.choice("format", of: RecordFormat.self) ?? .jsonl
        if format == .csv, table == nil { throw UsageError("--format csv needs a TABLE") }
        if format != .jsonl, arguments.has("json") {
            throw UsageError("--json and --format \(format.rawValue) exclude each other")
        }
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let exporter = Exporter(console, format)
        try await StoreSession.run(at: path, .read) { store in
            try store.read { transaction in
                guard let table else { return try exporter.exportAll(transaction) }
                guard try transaction.description(of: table) != nil else {
                    throw Failure.noTable(table)
                }
                try exporter.export(table, transaction)
            }
        }
        return .done
    }
}
