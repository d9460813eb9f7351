import Holdfast

/// `hold import`.
struct ImportCommand: Command {
    static let syntax = CommandSyntax(
        "import",
        "put the records of a file into a table",
        positionals: [.required("STORE"), .required("TABLE"), .required("FILE|-")],
        options: [
            .value("id-field", "F", "the field that holds the id; `id` unless the table has one"),
            .value("format", "jsonl|json|csv", "the format; else from the file's name, else jsonl"),
            .value("batch", "N", "records a transaction (1000)"),
            .flag("ack", "print each id once its record is durable"),
            .flag("local", "keep the table here: it is never synced"),
            .flag("skip-bad", "leave bad lines, rows and elements out and go on"),
            .json,
        ],
        discussion: """
            The store is created when it is missing. A record with an id that is there is \
            replaced; one without an id gets a minted one. Each batch is synced before its ids \
            are printed. At a bad line everything before it is committed, nothing behind it, and \
            the exit status is 1. CSV has a header row; its values are texts and an empty one is \
            absent. With --skip-bad an element of a JSON array is left out when only its content is \
            wrong: no object, a field twice, a number out of range, text that is not valid; where \
            the syntax is broken, the element's end is not known and the import stops there. \
            `-` is standard input. The summary on standard error counts all records \
            taken as imported, and among them those replaced.
            """,
        example: "hold import notes.holdfast cities cities.jsonl --id-field geonameid"
    )

    private let plan: ImportPlan
    private let isLocal: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        plan = ImportPlan(
            path: arguments.positional(0),
            table: try arguments.table(1),
            file: arguments.positional(2),
            format: try arguments.choice("format", of: RecordFormat.self),
            idField: arguments.value("id-field"),
            batchSize: try arguments.number("batch", in: 1...1_000_000) ?? 1_000,
            acknowledgement: arguments.has("ack")
                ? AcknowledgementStyle(isJSON: arguments.has("json")) : nil,
            skipsBad: arguments.has("skip-bad")
        )
        isLocal = arguments.has("local")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let importer = try Importer(plan, console)
        try await StoreSession.run(at: plan.path, .create, writesRecords: true) { store in
            if isLocal { try await LinkedStore.keepLocal(plan.table, in: store) }
            try await store.buildUniqueIndexes(of: plan.table)
            try await importer.run(into: store)
        }
        return .done
    }
}
