import Holdfast

extension Console {
    /// Adds the line that says that a record is durable: its id, as text or as an object.
    func appendAcknowledgement(_ id: RecordID) throws {
        output.append(try AcknowledgementStyle(isJSON: isJSON).line(id))
    }

    /// Adds an object as one line of compact JSON.
    func append(_ object: JSONObject) throws {
        output.append(try object.serialized())
        output.append("\n")
    }

    /// Prints a table for a person.
    func append(_ table: TextTable) {
        for line in table.lines(terminal) { output.append(line + "\n") }
    }
}

extension Failure {
    static func noRecord(in table: TableName) -> Failure {
        Failure("table \(table) has no record with this id")
    }

    static func noTable(_ table: TableName) -> Failure {
        Failure("the store has no table \(table); `hold tables` shows those that it has")
    }
}
