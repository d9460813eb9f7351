import Holdfast

/// Records as JSON Lines.
struct LineParser: RecordParser {
    private var reader = JSONLineReader()

    mutating func append(_ bytes: [UInt8]) {
        if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
    }

    mutating func next() throws(Failure) -> InputRecord? {
        let line: JSONLineReader.Line?
        do {
            line = try reader.next()
        } catch {
            throw Failure("\(error); nothing behind it was read")
        }
        return line.map(Self.record)
    }

    private static func record(_ line: JSONLineReader.Line) -> InputRecord {
        let place = InputPlace.line(line.number)
        do {
            return .record(try JSONObject(parsing: line.bytes), place)
        } catch {
            return .bad(place, "\(error)")
        }
    }
}
