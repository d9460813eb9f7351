extension Schema {
    /// The recorder of the tables that are recorded; `nil` where none is.
    func makeRecorder() throws -> (any TransactionRecorder)? {
        try tables.lazy.compactMap(\.recording).first?.makeRecorder(for: self)
    }
}
