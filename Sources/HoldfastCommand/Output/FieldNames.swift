package import Holdfast

/// The names of fields of many records, each once, in the order in which they were first seen.
package struct FieldNames: Sendable {
    /// The names.
    package private(set) var names: [String] = []
    // By bytes: `String.==` holds composed and decomposed characters for equal.
    private var seen = Set<[UInt8]>()

    /// No names.
    package init() {}

    /// Adds the names of a record's fields.
    package mutating func add(_ record: JSONObject) {
        // Most records have the fields of the one before in the same places.
        for (index, field) in record.enumerated() where !stands(field.name, at: index) {
            if seen.insert(Array(field.name.utf8)).inserted { names.append(field.name) }
        }
    }

    private func stands(_ name: String, at index: Int) -> Bool {
        index < names.count && names[index].utf8.elementsEqual(name.utf8)
    }
}
