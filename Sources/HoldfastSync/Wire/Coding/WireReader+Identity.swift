package import Holdfast

extension WireReader {
    /// The dataset that a message is of.
    package var dataset: DatasetID {
        get throws(WireError) { DatasetID(try name("dataset")) }
    }

    /// The history that a message is of.
    package var epoch: EpochID {
        get throws(WireError) { EpochID(try name("epoch")) }
    }

    /// The scopes of a principal.
    package var scopes: [ScopeName] {
        get throws(WireError) {
            guard has("scopes") else { throw failure("has to be a list", at: "scopes") }
            return try names("scopes", atMost: WireLimits.nameBytes).map { ScopeName($0) }
        }
    }

    /// A cursor.
    package func cursor(_ name: String) throws(WireError) -> SyncCursor {
        SyncCursor(try self.name(name, atMost: WireLimits.cursorBytes))
    }

    /// A table's name.
    package func table(_ name: String) throws(WireError) -> TableName {
        do {
            return try TableName(self.name(name, atMost: TableName.maximumBytes))
        } catch let error as WireError {
            throw error
        } catch {
            throw failure("is not the name of a table", at: name)
        }
    }

    /// A record's id, always as text.
    package func recordID(_ name: String) throws(WireError) -> RecordID {
        do {
            return try RecordID(self.name(name, atMost: RecordID.maximumBytes))
        } catch let error as WireError {
            throw error
        } catch {
            throw failure("is not the id of a record", at: name)
        }
    }

    /// The record that the fields `table` and `id` name.
    package var record: RecordReference {
        get throws(WireError) { RecordReference(try table("table"), try recordID("id")) }
    }
}

extension RecordReference {
    /// The record as `{table, id}`.
    package var json: JSONObject { ["table": .string(table.text), "id": .string(id.text)] }
}

extension [ScopeName] {
    /// The names in a list.
    package var json: JSONValue { .array(map { .string($0.text) }) }
}
