import Holdfast

/// `hold put`.
struct PutCommand: Command {
    static let syntax = CommandSyntax(
        "put",
        "commit one record and print its id",
        positionals: [.required("STORE"), .required("TABLE"), .required("JSON")],
        options: [
            .value("id", "ID", "the record's id; without it the record's own, or a minted one"),
            .flag("local", "keep the table here: it is never synced"),
            .json,
        ],
        discussion: """
            The store is created when it is missing. A record with the same id is replaced. The \
            id is printed when the commit is durable.
            """,
        example: #"hold put notes.holdfast notes '{"title": "Bread", "flour": 500}'"#
    )

    private let path: String
    private let table: TableName
    private let record: JSONObject
    private let id: RecordID?
    private let isLocal: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        record = try arguments.object(2)
        id = try arguments.id(option: "id")
        isLocal = arguments.has("local")
    }

    func run(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .create, writesRecords: true) { store in
            if isLocal { try await LinkedStore.keepLocal(table, in: store) }
            // Before closing: the commit is durable whether or not that succeeds.
            try console.appendAcknowledgement(try await put(in: store))
            try console.output.flush()
        }
        return .done
    }

    private func put(in store: Store) async throws -> RecordID {
        do {
            return try await store.write { [table, record, id] transaction in
                try transaction.put(record, in: table, id: id).id
            }
        } catch let error as StoreError where error.code == .idMismatch || error.code == .invalidID
        {
            throw UsageError(error.message)
        }
    }
}
