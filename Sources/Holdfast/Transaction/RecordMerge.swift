/// Writing a typed record over a stored one: fields that the type does not know are kept, in the
/// record and in the objects inside it that the type reads field by field.
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
                try Self.lacks(DocumentReader(new), aFieldOf: DocumentReader(stored))
            }
        }
    }

    private static func lacks(
        _ new: DocumentReader,
        aFieldOf stored: DocumentReader
    ) throws(DocumentError) -> Bool {
        var fields = stored
        while fields.hasMore {
            var found = new
            let name = stored.bytes[try fields.takeName()]
            if try !found.find(name) { return true }
            if let inner = try fields.objectAhead(), let newInner = try found.objectAhead() {
                if try lacks(newInner, aFieldOf: inner) { return true }
            }
            try fields.skipValue()
        }
        return false
    }

    /// The new record with the fields of the stored one that the type does not know.
    ///
    /// The id stays as it came, a number a number. An array is a value: what is unknown inside it
    /// goes with it.
    func merged<Row: Record>(_ type: Row.Type) throws(DocumentError) -> JSONObject {
        let known = KnownFields(askedBy: type, in: stored)
        var merged = try stored.withByteView { stored throws(DocumentError) in
            try merge(DocumentReader(stored), Document.decode(new.bytes), known, isRecord: true)
        }
        let id = try stored.withByteView { (bytes) throws(DocumentError) in
            var reader = try DocumentReader(bytes)
            return try idField.withByteView { (name) throws(DocumentError) in
                try reader.find(name) ? try reader.value() : nil
            }
        }
        if let id { merged[idField] = id }
        return merged
    }

    private func merge(
        _ stored: DocumentReader,
        _ new: JSONObject,
        _ known: KnownFields,
        isRecord: Bool
    ) throws(DocumentError) -> JSONObject {
        var merged = JSONObject()
        var fields = stored
        while fields.hasMore {
            let name = try fields.text(at: fields.takeName())
            var value = fields
            if let newValue = new[name] {
                merged[name] = try merge(value, newValue, known)
            } else if !known.contains(name, inObjectAt: stored.position),
                !(isRecord && isOmitted(name))
            {
                merged[name] = try value.value()
            }
            try fields.skipValue()
        }
        for (name, value) in new where merged[name] == nil { merged[name] = value }
        return merged
    }

    /// A new value, with what is unknown in the stored one where both are objects that the type
    /// reads field by field.
    private func merge(
        _ stored: DocumentReader,
        _ new: JSONValue,
        _ known: KnownFields
    ) throws(DocumentError) -> JSONValue {
        guard case .object(let object) = new, let inner = try stored.objectAhead(),
            known.hasObject(at: inner.position)
        else { return new }
        return .object(try merge(inner, object, known, isRecord: false))
    }

    private func isOmitted(_ name: String) -> Bool {
        new.omittedFields.contains { UTF8Order.same($0, name) }
    }
}

extension DocumentReader {
    /// A reader of the fields of the value that comes next; `nil` where it is no object.
    fileprivate func objectAhead() throws(DocumentError) -> DocumentReader? {
        var reader = self
        guard try reader.take(UInt8.self) == DocumentTag.object else { return nil }
        return try reader.takeContainer()
    }
}
