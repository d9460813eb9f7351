/// A document that a value was encoded to.
package struct EncodedDocument: Sendable {
    /// The document.
    package let bytes: [UInt8]
    /// The fields that the type's coding named and left out, because they are `nil`.
    package let omittedFields: [String]
}

extension DocumentEncoder {
    /// The document of a value that is written back, with the fields of the stored document that
    /// its type does not know.
    ///
    /// A field is known when the type's coding writes it, names it and leaves it out, or asks for it
    /// when it is decoded. Fields that stay keep their places, new ones come last.
    ///
    /// - Throws: What ``encode(_:)`` throws; ``DocumentError`` where `stored` is damaged.
    package static func encode<Value: Codable>(
        _ value: Value,
        keepingUnknownFieldsOf stored: RawSpan
    ) throws -> [UInt8] {
        let encoded = try encode(value)
        return try encoded.keepingUnknownFields(of: stored) {
            KnownFields(askedBy: Value.self, in: encoded.bytes)
        }
    }
}

extension EncodedDocument {
    /// The document with the fields of a stored one that are neither in it, nor left out of it, nor
    /// in `known`, which is only called where there are such fields.
    package func keepingUnknownFields(
        of stored: RawSpan,
        known: () -> KnownFields
    ) throws(DocumentError) -> [UInt8] {
        try stored.withByteView { (stored) throws(DocumentError) in
            try bytes.withByteView { (new) throws(DocumentError) in
                let unnamed = try fields(of: stored, missingIn: new)
                let known = unnamed.isEmpty ? KnownFields() : known()
                let unknown = unnamed.filter { !known.contains($0.name) }
                return unknown.isEmpty ? bytes : try merge(unknown, of: stored, into: new)
            }
        }
    }

    /// The stored fields that the encoding did not name.
    private func fields(
        of stored: ByteView,
        missingIn new: ByteView
    ) throws(DocumentError) -> [(name: String, range: Range<Int>)] {
        var fields: [(name: String, range: Range<Int>)] = []
        var state = DecodingState(new)
        var reader = try DocumentReader(stored)
        while reader.hasMore {
            let start = reader.position
            let name = try reader.takeName()
            try reader.skipValue()
            if try state.find(stored[name], in: 1..<new.count) != nil { continue }
            let text = try reader.text(at: name)
            if omittedFields.contains(where: { UTF8Order.same($0, text) }) { continue }
            fields.append((text, start..<reader.position))
        }
        return fields
    }

    /// Puts the new fields in the places of the stored ones, between the unknown ones.
    private func merge(
        _ unknown: [(name: String, range: Range<Int>)],
        of stored: ByteView,
        into new: ByteView
    ) throws(DocumentError) -> [UInt8] {
        var merged: [UInt8] = [Document.version]
        merged.reserveCapacity(stored.count + new.count)
        var unknown = unknown[...]
        var storedReader = try DocumentReader(stored)
        while storedReader.hasMore {
            let start = storedReader.position
            let name = stored[try storedReader.takeName()]
            try storedReader.skipValue()
            if let next = unknown.first, next.range.lowerBound == start {
                unknown.removeFirst()
                stored[next.range].append(to: &merged)
            } else {
                var newReader = try DocumentReader(new)
                if let field = try newReader.findField(name) { new[field].append(to: &merged) }
            }
        }
        var newReader = try DocumentReader(new)
        while newReader.hasMore {
            let start = newReader.position
            let name = new[try newReader.takeName()]
            try newReader.skipValue()
            var reader = try DocumentReader(stored)
            guard try reader.findField(name) == nil else { continue }
            new[start..<newReader.position].append(to: &merged)
        }
        return merged
    }
}
