import Holdfast

extension TableDescription {
    /// The indexes as a person reads them.
    var indexText: String { indexes.map { "(\($0))" }.joined(separator: " ") }

    /// The references as a person reads them.
    var referenceText: String { references.map(\.description).joined(separator: ", ") }

    /// The indexes as `--json` prints them.
    var indexValue: JSONValue {
        .array(
            indexes.map { index in
                .object([
                    "kind": .string(index.kind == .ordered ? "ordered" : index.kind.rawValue),
                    "fields": .array(index.fields.map { .string($0) }),
                ])
            }
        )
    }

    /// The references as `--json` prints them.
    var referenceValue: JSONValue {
        .array(
            references.map { reference in
                .object([
                    "field": .string(reference.field),
                    "table": .string(reference.target.text),
                    "onDelete": .string(reference.onDelete.rawValue),
                ])
            }
        )
    }
}
