/// Reads CSV with a header row as records: the names of the first row with the texts of another.
package struct CSVRecordReader: Sendable {
    /// One row under the names of the header; an empty field is absent.
    package struct Record: Hashable, Sendable {
        /// The line that it begins on, from 1.
        package let line: Int
        /// Names and texts, in the order of the header.
        package let fields: [Field]
    }

    /// A named text.
    package struct Field: Hashable, Sendable {
        /// The header's name for it.
        package let name: String
        /// Its text, never empty.
        package let text: String
    }

    private var rows = CSVRowReader()
    private var header: [String]?

    /// A reader at the start of a file.
    package init() {}

    /// Whether the header row was read; an error before that leaves nothing to go on with.
    package var hasHeader: Bool { header != nil }

    /// Adds the bytes that come next; none means the end.
    package mutating func append(_ bytes: [UInt8]) { rows.append(bytes) }

    /// The next record; `nil` when more bytes are needed or the end is reached.
    ///
    /// - Throws: ``LineError``; the next call goes on behind the row in question.
    package mutating func next() throws(LineError) -> Record? {
        while let row = try rows.next() {
            guard let header else {
                header = try Self.checkedHeader(row)
                continue
            }
            return try Self.record(row, header)
        }
        return nil
    }

    private static func checkedHeader(_ row: CSVRow) throws(LineError) -> [String] {
        // By bytes: `String.==` holds composed and decomposed characters for equal.
        var seen = Set<[UInt8]>()
        for (index, name) in row.fields.enumerated() {
            if name.isEmpty {
                throw LineError(line: row.line, "column \(index + 1) of the header has no name")
            }
            if !seen.insert(Array(name.utf8)).inserted {
                throw LineError(line: row.line, "the header has two columns of one name")
            }
        }
        return row.fields
    }

    private static func record(_ row: CSVRow, _ header: [String]) throws(LineError) -> Record {
        guard row.fields.count == header.count else {
            let counts = "\(row.fields.count) fields where the header has \(header.count)"
            throw LineError(line: row.line, "the row has \(counts)")
        }
        let fields = zip(header, row.fields).compactMap { name, text in
            text.isEmpty ? nil : Field(name: name, text: text)
        }
        return Record(line: row.line, fields: fields)
    }
}
