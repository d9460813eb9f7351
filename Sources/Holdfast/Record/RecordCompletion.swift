/// A stored record that lacks fields which its type asks for, and what the type's default instance
/// has in their place.
struct RecordCompletion<Row: Record> {
    private(set) var record: JSONObject
    private let defaults: JSONObject

    /// - Returns: `nil` where the default instance cannot be written: then there is nothing to
    ///   take.
    init?(_ document: RawSpan) throws(DocumentError) {
        record = try Document.decode(document)
        guard let encoded = try? DocumentEncoder.encode(Row()) else { return nil }
        defaults = try Document.decode(encoded.bytes)
    }

    /// Decodes the record, with what it lacks taken from the default instance.
    ///
    /// One field at a time: only what is asked for and found missing is filled in, and each time at
    /// least one more field is there, so that it ends however the type's coding goes about.
    ///
    /// - Throws: What decoding throws, where the default instance does not help.
    mutating func decode(lacking error: any Error) throws -> Row {
        var error = error
        while fill(error) {
            do {
                return try DocumentDecoder.decode(Row.self, from: Document.encode(record))
            } catch let next {
                error = next
            }
        }
        throw error
    }

    /// A document with the fields that it lacks; `nil` where it lacks none.
    static func completed(_ document: [UInt8]) throws(DocumentError) -> [UInt8]? {
        do {
            _ = try DocumentDecoder.decode(Row.self, from: document)
            return nil
        } catch {
            let completion = try document.withRawSpan { (bytes) throws(DocumentError) in
                try RecordCompletion(bytes)
            }
            guard var completion else { return nil }
            _ = try? completion.decode(lacking: error)
            return try? Document.encode(completion.record)
        }
    }

    /// Fills in the field that an error found missing.
    ///
    /// - Returns: Whether it could.
    private mutating func fill(_ error: any Error) -> Bool {
        guard case DecodingError.keyNotFound(let key, let context) = error else { return false }
        let path = (context.codingPath + [key]).map(\.stringValue)
        // Another id would make it another record.
        if path.count == 1, UTF8Order.same(path[0], Row.idField) { return false }
        return Self.fill(path[...], of: &record, from: defaults)
    }

    private static func fill(
        _ path: ArraySlice<String>,
        of record: inout JSONObject,
        from defaults: JSONObject
    ) -> Bool {
        guard let name = path.first, let value = defaults[name] else { return false }
        if path.count == 1 {
            guard record[name] == nil else { return false }
            record[name] = value
            return true
        }
        guard case .object(var inner)? = record[name], case .object(let source) = value,
            fill(path.dropFirst(), of: &inner, from: source)
        else { return false }
        record[name] = .object(inner)
        return true
    }
}
