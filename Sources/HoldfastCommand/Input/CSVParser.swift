import Holdfast

/// Records as CSV, every value a text.
struct CSVParser: RecordParser {
    private var reader = CSVRecordReader()

    mutating func append(_ bytes: [UInt8]) { reader.append(bytes) }

    mutating func next() throws(Failure) -> InputRecord? {
        do {
            guard let row = try reader.next() else { return nil }
            let fields = row.fields.map { ($0.name, JSONValue.string($0.text)) }
            return .record(JSONObject(fields), .line(row.line))
        } catch {
            let place = InputPlace.line(error.line)
            guard reader.hasHeader else { throw Failure("\(place): \(error.message)") }
            return .bad(place, error.message)
        }
    }
}
