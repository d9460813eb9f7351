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
    func index(_ index: Int, kind: Index.Kind) throws(UsageError) -> Index {
        let fields = Self.fields(positional(index))
        return try Self.checked { try Index(fields: fields, kind: kind) }
    }

    /// What `--where`, `--any`, `--not` and `--search` ask for; a record has to meet all of it.
    func filters() throws(UsageError) -> [Filter] {
        var filters = try conditions("where")
        let choices = try conditions("any")
        if !choices.isEmpty { filters.append(.any(choices)) }
        filters += try conditions("not").map { .not($0) }
        if let text = value("search") {
            guard let fields = value("in") else {
                throw UsageError("--search needs --in FIELD[,FIELD...], the fields to look in")
            }
            let names = Self.fields(fields)
            if names.contains("") { throw UsageError("--in '\(fields)' has a field without a name") }
            filters.append(.search(text, in: names))
        } else if has("in") {
            throw UsageError("--in names the fields for --search TEXT")
        }
        return filters
    }

    private func conditions(_ option: String) throws(UsageError) -> [Filter] {
        var filters: [Filter] = []
        for text in all(option) { filters.append(try FilterText(text, option: option).filter()) }
        return filters
    }

    private static func fields(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
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
