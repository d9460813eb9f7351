/// A record that comes from elsewhere while steps bring it to this schema's form.
struct ArrivingRecord {
    let table: TableName
    var object: JSONObject
}

extension WriteTransaction {
    /// A record that comes from elsewhere in an older form, in the form of a schema.
    ///
    /// The steps of representation between the two run on this record alone, as far as they work by
    /// ``transform(_:_:)`` and what builds on it. Whatever else they write is taken back: it was
    /// done once, when the store was migrated.
    ///
    /// - Parameters:
    ///   - object: The record as it came.
    ///   - id: Its id.
    ///   - table: Its table.
    ///   - form: The form that it came in.
    ///   - schema: The schema whose form it gets.
    /// - Returns: The record in that form.
    /// - Throws: What a step throws, or ``StoreError`` where it makes of the record what cannot be
    ///   stored in its place; the transaction is as it was.
    /// - Complexity: O(steps), besides what they do.
    package mutating func stepped(
        _ object: JSONObject,
        of id: RecordID,
        in table: TableName,
        from form: Int,
        to schema: Schema
    ) throws -> JSONObject {
        let steps = schema.steps(fromForm: form)
        if steps.isEmpty { return object }
        let before = (arriving, checksRules, recording)
        defer { (arriving, checksRules, recording) = before }
        arriving = ArrivingRecord(table: table, object: object)
        checksRules = false
        recording = nil
        var stepped = object
        do {
            try attempt { transaction in
                for step in steps { try step.body(&transaction) }
                stepped = transaction.arriving?.object ?? object
                throw SteppingEnd()
            }
        } catch is SteppingEnd {}
        try requirePlace(of: stepped, insteadOf: object, id, in: table)
        return stepped
    }

    /// Runs a step's change on the record that arrives, if it is one of the table.
    mutating func transformArriving(
        _ table: TableName,
        _ body: (inout JSONObject, inout WriteTransaction) throws -> Void
    ) throws -> Int {
        guard let arriving, arriving.table == table else { return 0 }
        var object = arriving.object
        try body(&object, &self)
        if object == arriving.object { return 0 }
        self.arriving?.object = object
        return 1
    }

    /// A step cannot give a record another id, nor make it one that the store cannot hold.
    private func requirePlace(
        of stepped: JSONObject,
        insteadOf object: JSONObject,
        _ id: RecordID,
        in table: TableName
    ) throws {
        let field = try idField(of: table)
        guard stepped[field] == object[field] else {
            throw StoreError(
                .idMismatch,
                "A step of representation changes the id of a record.",
                table: table,
                id: id,
                field: field
            )
        }
        _ = try Document.encode(stepped)
    }
}

/// What the steps wrote besides is taken back.
private struct SteppingEnd: Error {}
