import Holdfast

/// Whether the elements that an edit brought into an array, or the lines that it brought into a
/// text, are still there, or were taken out by someone.
struct SetAudit {
    private let edits: [Edit]
    private let field: String

    init(_ edits: [Edit], _ field: String) {
        self.edits = edits
        self.field = field
    }

    func finds(_ change: Edit.FieldChange, of edit: Edit, in value: JSONValue?) -> Bool {
        let added = Self.elements(change.new).subtracting(Self.elements(change.old))
        let missing = added.subtracting(Self.elements(value))
        return missing.isEmpty || missing.isSubset(of: taken(from: edit))
    }

    /// Whether all that an edit brought in stands in a value.
    static func holds(_ change: Edit.FieldChange, in value: JSONValue?) -> Bool {
        elements(change.new).subtracting(elements(change.old)).isSubset(of: elements(value))
    }

    /// What any other edit has taken out of the field.
    private func taken(from edit: Edit) -> Set<JSONValue> {
        var taken: Set<JSONValue> = []
        for other in edits where other.number != edit.number {
            for change in other.changes where change.field == field {
                taken.formUnion(
                    Self.elements(change.old).subtracting(Self.elements(change.new))
                )
            }
        }
        return taken
    }

    private static func elements(_ value: JSONValue?) -> Set<JSONValue> {
        switch value {
        case .array(let elements): Set(elements)
        case .string(let text):
            Set(
                text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    .string(String($0))
                }
            )
        case let value?: [value]
        case nil: []
        }
    }
}
