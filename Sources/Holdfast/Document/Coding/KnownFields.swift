/// The fields that a type's coding names, so that all others can be kept when it is written back.
package struct KnownFields: Sendable {
    private var names: Set<FieldName> = []

    /// No field.
    package init() {}

    /// The fields that a type asks for when it is decoded from a document.
    ///
    /// Decoding may fail; what was asked for until then counts.
    package init(askedBy type: (some Decodable).Type, in document: [UInt8]) {
        self = DocumentDecoder.fieldsAsked(by: type, in: document)
    }

    /// Whether a field is one of them.
    package func contains(_ name: String) -> Bool { names.contains(FieldName(name)) }

    mutating func insert(_ name: String) { names.insert(FieldName(name)) }
}
