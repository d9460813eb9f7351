import Holdfast

/// `hold tables`.
struct TablesCommand: Command {
    static let syntax = CommandSyntax(
        "tables",
        "print the tables with their counts, bytes, indexes and references",
        positionals: [.required("STORE")],
        options: [.json],
        discussion:
            "Bytes are those of the records as they are stored; every record is read to count them. "
            + "An index of a kind other than ordered says so: unique, or words.",
        example: "hold tables notes.holdfast"
    )

    fileprivate struct Row {
        let table: TableDescription
        let bytes: Int
    }

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let rows = try await StoreSession.run(at: path, .read) { store in
            try store.read { transaction in
                try transaction.tables().map { table in
                    Row(table: table, bytes: try transaction.bytes(of: table.name))
                }
            }
        }
        if console.isJSON {
            for row in rows { try console.append(row.object) }
        } else {
            console.append(Self.table(rows))
        }
        return .done
    }

    private static func table(_ rows: [Row]) -> TextTable {
        var table = TextTable([
            .init("table"), .init("records", isNumeric: true), .init("bytes", isNumeric: true),
            .init("id field"), .init("indexes"), .init("references"),
        ])
        for row in rows {
            table.append([
                row.table.name.text, row.table.count.grouped, row.bytes.asBytes,
                row.table.idField, row.table.indexText, row.table.referenceText,
            ])
        }
        return table
    }
}

extension TablesCommand.Row {
    fileprivate var object: JSONObject {
        [
            "table": .string(table.name.text),
            "records": .integer(Int64(table.count)),
            "bytes": .integer(Int64(bytes)),
            "idField": .string(table.idField),
            "indexes": table.indexValue,
            "references": table.referenceValue,
        ]
    }
}
