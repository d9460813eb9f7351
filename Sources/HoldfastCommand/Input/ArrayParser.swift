import Holdfast

/// Records as one JSON array.
struct ArrayParser: RecordParser {
    private var reader = JSONArrayReader()
    private var count = 0

    mutating func append(_ bytes: [UInt8]) {
        if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
    }

    mutating func next() throws(Failure) -> InputRecord? {
        do {
            guard let value = try reader.next() else { return nil }
            count += 1
            let place = InputPlace.element(count)
            guard case .object(let object) = value else { return .bad(place, "not an object") }
            return .record(object, place)
        } catch {
            if reader.canGoOn {
                count += 1
                return .bad(.element(count), "\(error)")
            }
            let hint = count == 0 ? "; for a record on each line add --format jsonl" : ""
            throw Failure("\(InputPlace.element(count + 1)): \(error)\(hint)")
        }
    }
}
