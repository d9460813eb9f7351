/// The fields that a type's coding names, so that all others can be kept when it is written back.
package struct KnownFields: Sendable {
    /// The names, by the offset at which the fields of the object begin that has them.
    private var names: [Int: Set<FieldName>] = [:]
    /// Where the fields of a record begin.
    private static let record = 1

    /// No field.
    package init() {}

    /// The fields that a type asks for when it is decoded from a document.
    ///
    /// Decoding may fail; what was asked for until then counts.
    package init(askedBy type: (some Decodable).Type, in document: [UInt8]) {
        self = DocumentDecoder.fieldsAsked(by: type, in: document)
    }

    /// Whether a field of the record is one of them.
    package func contains(_ name: String) -> Bool { contains(name, inObjectAt: Self.record) }

    /// Whether a field of the object is one of them whose fields begin at an offset.
    func contains(_ name: String, inObjectAt offset: Int) -> Bool {
        names[offset]?.contains(FieldName(name)) ?? false
    }

    /// Whether any field was asked for of the object whose fields begin at an offset.
    func hasObject(at offset: Int) -> Bool { names[offset] != nil }

    mutating func insert(_ name: String, ofObjectAt offset: Int) {
        names[offset, default: []].insert(FieldName(name))
    }
}
