import Holdfast

/// Writes the records of tables in one format, in the byte order of their ids.
struct Exporter {
    private let console: Console
    private let format: RecordFormat

    init(_ console: Console, _ format: RecordFormat) {
        self.console = console
        self.format = format
    }

    /// Writes one table.
    func export(_ table: TableName, _ transaction: borrowing ReadTransaction) throws {
        switch format {
        case .csv: try exportCSV(table, transaction)
        case .jsonl, .json:
            try exportJSON([table], transaction) { _, record in try record.serialized() }
        }
    }

    /// Writes every table, each record beside its table's name.
    func exportAll(_ transaction: borrowing ReadTransaction) throws {
        let tables = try transaction.tables().map(\.name)
        try exportJSON(tables, transaction) { table, record in
            let line: JSONObject = ["table": .string(table.text), "record": .object(record)]
            return try line.serializedAroundRecords()
        }
    }

    private func exportJSON(
        _ tables: [TableName],
        _ transaction: borrowing ReadTransaction,
        _ line: (TableName, JSONObject) throws -> [UInt8]
    ) throws {
        var separator = format == .json ? "[\n" : ""
        for table in tables {
            try transaction.forEach(Query(table)) { _, record in
                console.output.append(separator)
                separator = format == .json ? ",\n" : "\n"
                console.output.append(try line(table, record))
                return try advance()
            }
        }
        if format == .json {
            console.output.append(separator == "[\n" ? "[]\n" : "\n]\n")
        } else if separator == "\n" {
            console.output.append(separator)
        }
        try console.output.flush()
    }

    /// The columns are known only after a first pass over the same state.
    private func exportCSV(_ table: TableName, _ transaction: borrowing ReadTransaction) throws {
        var columns = FieldNames()
        try transaction.forEach(Query(table)) { _, record in
            columns.add(record)
            return true
        }
        if columns.names.isEmpty { return }
        if columns.names.contains("") {
            throw Failure(
                "a record has a field with an empty name, which CSV cannot hold; nothing was"
                    + " written: use --format jsonl"
            )
        }
        console.output.append { CSVWriter.append(columns.names, to: &$0) }
        try transaction.forEach(Query(table)) { _, record in
            let cells = try columns.names.map { try record[$0]?.cell }
            console.output.append { CSVWriter.append(cells, to: &$0) }
            return try advance()
        }
        try console.output.flush()
    }

    private func advance() throws -> Bool {
        try Task.checkCancellation()
        try console.output.flushIfLarge()
        return true
    }
}
