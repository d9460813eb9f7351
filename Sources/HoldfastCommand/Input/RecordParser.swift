/// Takes records out of the bytes of one format, which come in pieces.
package protocol RecordParser: Sendable {
    /// Takes the next bytes; none means the end.
    mutating func append(_ bytes: [UInt8])

    /// The next record, or what stands in its place; `nil` when more bytes are needed or the end
    /// is reached.
    ///
    /// - Throws: ``Failure`` for damage behind which nothing can be read.
    mutating func next() throws(Failure) -> InputRecord?
}

extension RecordFormat {
    /// A parser at the start of an input.
    package func makeParser() -> any RecordParser {
        switch self {
        case .jsonl: LineParser()
        case .json: ArrayParser()
        case .csv: CSVParser()
        }
    }
}
