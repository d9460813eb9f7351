import Holdfast

extension ParsedArguments {
    /// The table named at a place.
    func table(_ index: Int) throws(UsageError) -> TableName {
        try Self.checked { try TableName(positional(index)) }
    }

    /// The record id given at a place.
    func id(_ index: Int) throws(UsageError) -> RecordID {
        try Self.checked { try RecordID(positional(index)) }
    }

    /// The record id given by an option.
    func id(option: String) throws(UsageError) -> RecordID? {
        guard let text = value(option) else { return nil }
        return try Self.checked { try RecordID(text) }
    }

    /// The JSON object given at a place.
    func object(_ index: Int) throws(UsageError) -> JSONObject {
        do {
            return try JSONObject(parsing: positional(index))
        } catch {
            throw UsageError("JSON cannot be read: \(error)")
        }
    }

    /// The index whose fields stand at a place, with commas between them.
    func index(_ index: Int) throws(UsageError) -> Index {
        let fields = positional(index).split(separator: ",", omittingEmptySubsequences: false)
        return try Self.checked { try Index(fields: fields.map(String.init)) }
    }

    /// The conditions given by `--where`.
    func filters() throws(UsageError) -> [Filter] {
        var filters: [Filter] = []
        for text in all("where") { filters.append(try FilterText(text).filter()) }
        return filters
    }

    private static func checked<Value>(_ make: () throws -> Value) throws(UsageError) -> Value {
        do {
            return try make()
        } catch let error as StoreError {
            throw UsageError(error.message)
        } catch {
            throw UsageError("\(error)")
        }
    }
}
