extension WriteTransaction {
    /// The bytes of a record.
    func encode(_ object: JSONObject, as id: RecordID, in table: TableName) throws -> [UInt8] {
        do {
            return try Document.encode(object)
        } catch {
            let code: StoreError.Code =
                error.kind == .tooLong ? .transactionTooLarge : .notEncodable
            throw StoreError(
                code,
                "The record cannot be stored: \(error.message).",
                table: table,
                id: id,
                cause: error
            )
        }
    }
}
