/// Writing a typed record over a stored one: fields that the type does not know are kept.
struct RecordMerge {
    /// The stored record.
    let stored: [UInt8]
    /// The new one, as the type writes it.
    let new: EncodedDocument
    let idField: String

    /// Whether the stored record has a field that the new one has not.
    func isNeeded() throws(DocumentError) -> Bool {
        try stored.withByteView { stored throws(DocumentError) in
            try new.bytes.withByteView { new throws(DocumentError) in
                var fields = try DocumentReader(stored)
                let others = try DocumentReader(new)
                while fields.hasMore {
                    var rest = others
                    let name = stored[try fields.takeName()]
                    if try !rest.find(name) { return true }
                    try fields.skipValue()
                }
                return false
            }
        }
    }

    /// The new record with the fields of the stored one that the type does not know.
    ///
    /// The id stays as it came, a number a number.
    func merged<Row: Record>(_ type: Row.Type) throws(DocumentError) -> JSONObject {
        let stored = try Document.decode(stored)
        var new = try Document.decode(new.bytes)
        if let id = stored[idField] { new[idField] = id }
        let known = KnownFields(askedBy: type, in: self.stored)
        var merged = JSONObject()
        for (name, value) in stored {
            if let value = new[name] {
                merged[name] = value
            } else if !known.contains(name), !isOmitted(name) {
                merged[name] = value
            }
        }
        for (name, value) in new { merged[name] = value }
        return merged
    }

    private func isOmitted(_ name: String) -> Bool {
        new.omittedFields.contains { UTF8Order.same($0, name) }
    }
}
