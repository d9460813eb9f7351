extension WriteTransaction {
    /// Writes a record as ``put(_:in:id:)`` does, and tells the table's recorder, if there is one,
    /// what the write stands for.
    @discardableResult
    package mutating func put(
        _ object: JSONObject,
        in table: TableName,
        id: RecordID? = nil,
        recording intent: any RecordedIntent
    ) throws -> PutResult {
        try attempt { transaction in
            if transaction.isRecorded(table) { transaction.recording?.expect(intent) }
            return try transaction.put(object, in: table, id: id)
        }
    }

    /// Tells a table's recorder, if there is one, of something that writes no record here.
    package mutating func note(
        _ intent: any RecordedIntent,
        of id: RecordID,
        in table: TableName
    ) throws {
        guard isRecorded(table) else { return }
        recording?.expect(intent)
        let state = state
        try StoreError.translate(table: table, id: id) {
            try recording?.touch(RecordKey.bytes(of: id, in: table), in: state)
        }
    }

    /// Whether writes of a table are recorded.
    package func isRecorded(_ table: TableName) -> Bool {
        recording?.recorder.records(table) == true
    }

    /// The next of the ids that the store mints, for what else needs one.
    package func mintID() -> RecordID { ids.next() }

    /// Makes the writes of a migration's step ones that no server is told of.
    mutating func keepRepresentation() {
        migration?.recorder = recording?.recorder
        recording = nil
        refusesRecords = false
    }

    /// Tells the recorder what the transaction wrote.
    mutating func record() throws {
        guard let recording, !recording.isEmpty else { return }
        self.recording = nil
        let writes = try StoreError.translate { try recording.writes(in: state) }
        if writes.writes.isEmpty { return }
        try recording.recorder.record(writes, in: &self)
    }
}
