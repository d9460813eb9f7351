import Holdfast

/// `hold patch`.
struct PatchCommand: Command {
    static let syntax = CommandSyntax(
        "patch",
        "change fields of a record",
        positionals: [
            .required("STORE"), .required("TABLE"), .required("ID"), .optional("JSON"),
        ],
        options: [
            .value("unset", "FIELD", repeats: true, "remove a field"),
            .json,
        ],
        discussion: """
            Top-level fields are replaced whole; null is a value. The id cannot change.
            """,
        example: #"hold patch notes.holdfast notes 7 '{"title": "Rye bread"}' --unset flour"#
    )

    private let path: String
    private let table: TableName
    private let id: RecordID
    private let fields: JSONObject
    private let removed: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        table = try arguments.table(1)
        id = try arguments.id(2)
        removed = arguments.all("unset")
        if arguments.optionalPositional(3) == nil, removed.isEmpty {
            throw UsageError("JSON is missing")
        }
        fields = arguments.optionalPositional(3) == nil ? [:] : try arguments.object(3)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .write, writesRecords: true) { store in
            try await patch(in: store)
        }
        if console.isJSON { try console.appendAcknowledgement(id) }
        return .done
    }

    private func patch(in store: Store) async throws {
        do {
            try await store.write { [table, id, fields, removed] transaction in
                try transaction.patch(id, in: table, with: fields, removing: removed)
            }
        } catch let error as StoreError where error.code == .idMismatch || error.code == .invalidID
        {
            throw UsageError(error.message)
        } catch let error as StoreError where error.code == .noSuchRecord {
            throw Failure.noRecord(in: table)
        }
    }
}
