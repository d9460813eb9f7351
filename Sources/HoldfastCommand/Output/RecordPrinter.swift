import Holdfast

/// Prints records one after the other: a table on a terminal, a line of JSON each elsewhere.
struct RecordPrinter {
    /// So many records decide the columns of a table; those behind them follow the same columns.
    private static let sampleSize = 500

    private let console: Console
    private var sample: [JSONObject] = []

    init(_ console: Console) { self.console = console }

    /// Prints a record; it may appear later.
    ///
    /// - Throws: `CancellationError`, or ``Failure`` when standard output is closed.
    mutating func print(_ record: JSONObject) throws {
        try Task.checkCancellation()
        if console.terminal == nil {
            try console.append(record)
            return try console.output.flushIfLarge()
        }
        sample.append(record)
        if sample.count == Self.sampleSize { try printSample() }
    }

    /// Prints what has not yet appeared.
    mutating func finish() throws {
        try printSample()
        try console.output.flush()
    }

    private mutating func printSample() throws {
        if sample.isEmpty { return }
        var columns = FieldNames()
        for record in sample { columns.add(record) }
        var table = TextTable(columns.names.map { TextTable.Column($0) })
        for record in sample {
            table.append(try columns.names.map { try record[$0]?.cell ?? "" })
        }
        console.append(table)
        sample = []
        try console.output.flush()
    }
}

extension JSONValue {
    /// The value as a field of a table or of CSV: text as it is, everything else as JSON.
    var cell: String {
        get throws {
            if case .string(let text) = self { return text }
            return String(decoding: try serialized(), as: UTF8.self)
        }
    }
}
