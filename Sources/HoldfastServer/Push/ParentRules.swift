import Holdfast
import HoldfastSync

/// The fields that refer to records which have to be there first, by table.
struct ParentRules: Sendable {
    private let references: [TableName: [Reference]]

    init(_ references: [TableName: [Reference]]?, schema: Schema?) {
        if let references {
            self.references = references
        } else {
            let tables = schema?.tables ?? []
            self.references = Dictionary(
                tables.map { ($0.name, $0.references) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    /// The records that a record refers to in fields where an older state of it does not.
    func parents(
        of object: JSONObject,
        in table: TableName,
        besides old: JSONObject?
    ) -> [RecordReference] {
        (references[table] ?? []).compactMap { reference in
            guard let value = object[reference.field], value != old?[reference.field] else {
                return nil
            }
            return RecordID(wire: value).map { RecordReference(reference.target, $0) }
        }
    }
}
