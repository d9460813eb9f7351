public import Holdfast

extension WriteTransaction {
    /// Adds a number to a field, here and on the server: what others add meanwhile counts too.
    ///
    /// A field that is missing or null counts as 0. In a table that is not synced it is a plain
    /// write.
    ///
    /// - Parameters:
    ///   - field: A top-level field.
    ///   - id: The record's id.
    ///   - table: The table.
    ///   - step: The number to add.
    /// - Throws: `StoreError` `.noSuchRecord`; ``SyncError`` `.notANumber` when the field holds
    ///   something else. Nothing was written.
    /// - Complexity: O(log n).
    public mutating func increment(
        _ field: String,
        of id: RecordID,
        in table: TableName,
        by step: Int64 = 1
    ) throws {
        try count(.integer(step), to: field, of: id, in: table)
    }

    /// Adds a number with a fraction to a field, as ``increment(_:of:in:by:)`` adds a whole one.
    ///
    /// - Parameters:
    ///   - amount: The number to add; it is finite.
    ///   - field: A top-level field.
    ///   - id: The record's id.
    ///   - table: The table.
    /// - Throws: As ``increment(_:of:in:by:)``.
    public mutating func add(
        _ amount: Double,
        to field: String,
        of id: RecordID,
        in table: TableName
    ) throws {
        try count(.double(amount), to: field, of: id, in: table)
    }

    private mutating func count(
        _ step: JSONValue,
        to field: String,
        of id: RecordID,
        in table: TableName
    ) throws {
        guard let object = try get(id, in: table) else {
            // What says so is what a patch says.
            return try patch(id, in: table, with: [:])
        }
        switch object[field] {
        case nil, .null, .integer, .double: break
        default:
            throw SyncError(
                .notANumber,
                "The field holds something else than a number, and nothing can be added to it.",
                table: table,
                id: id,
                field: field
            )
        }
        let steps: JSONObject = [field: step]
        try put(object.counted(steps), in: table, recording: MutationIntent.delta(steps))
    }

    /// Calls a handler of the server, once the server can be reached, exactly once.
    ///
    /// What the handler does comes back as any change does. Until then `guess` is what is shown.
    ///
    /// ```swift
    /// try transaction.perform("approve", of: order.id, in: "orders") { $0["status"] = "approved" }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The name under which the server knows the handler.
    ///   - id: The record that it is about; it need not be there.
    ///   - table: The record's table, which is synced.
    ///   - arguments: What the handler gets.
    ///   - guess: Makes of the record what the handler probably will; an empty object is no record.
    /// - Throws: What `guess` throws, ``SyncError`` `.notSynced`, or `StoreError`; nothing was
    ///   written.
    /// - Complexity: O(log n).
    public mutating func perform(
        _ action: String,
        of id: RecordID,
        in table: TableName,
        with arguments: JSONObject = [:],
        guessing guess: (inout JSONObject) throws -> Void = { _ in }
    ) throws {
        guard isRecorded(table) else {
            throw SyncError(
                .notSynced,
                "No server will hear of the action: declare the table as synced.",
                table: table,
                id: id
            )
        }
        let object = try get(id, in: table)
        var guessed = object ?? [:]
        try guess(&guessed)
        let intent = MutationIntent.action(name: action, arguments: arguments)
        if guessed.isEmpty || guessed == object {
            try note(intent, of: id, in: table)
        } else {
            let field = try idField(of: table)
            if object == nil, guessed[field] == nil { guessed[field] = .string(id.text) }
            try put(guessed, in: table, id: id, recording: intent)
        }
    }
}
