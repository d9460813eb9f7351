import HoldfastStorage

extension StoreError {
    /// The engine's errors as the store's; any other error as it is.
    static func translating(_ error: any Error) -> any Error {
        guard let error = error as? StorageError else { return error }
        return StoreError(error)
    }

    /// Runs `body` with the engine's errors turned into the store's.
    static func translate<Result>(
        table: TableName? = nil,
        id: RecordID? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw StoreError(error, table: table, id: id)
        }
    }
}
