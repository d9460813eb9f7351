/// A reference and the table whose records have it.
struct TableReference: Hashable, Sendable {
    let table: TableName
    let reference: Reference

    init(_ reference: Reference, in table: TableName) {
        self.reference = reference
        self.table = table
    }

    /// Reads back a declaration's key; `nil` for one that no version of this code wrote.
    init?(systemKey key: RawSpan) {
        let parts = SystemKey.parts(of: key)
        guard parts.count == 5, let rule = Reference.DeleteRule(rawValue: parts[4]) else {
            return nil
        }
        let target = TableName(stored: parts[3])
        self.init(
            Reference(stored: parts[2], to: target, onDelete: rule),
            in: TableName(stored: parts[1])
        )
    }

    /// The key of the declaration.
    var systemKey: [UInt8] { SystemKey.reference(reference, in: table) }
}
