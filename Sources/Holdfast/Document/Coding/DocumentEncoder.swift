/// Encodes an app's values straight to documents.
package enum DocumentEncoder {
    /// The document of a value, which has to encode as an object.
    ///
    /// `Date` becomes its RFC 3339 text in UTC with nine digits of fraction, `UUID` its lower-case
    /// text, `Data` its base64 text, `URL` its absolute text. Of a field that is encoded twice the
    /// later value counts.
    ///
    /// - Throws: `EncodingError` with the coding path where a value cannot be stored: a number that
    ///   is not finite or outside 64 bits, a date outside the years 0 to 9999, a value that is not
    ///   an object; ``JSONError`` where it is nested too deep or too long; what the type's own
    ///   `encode(to:)` throws.
    package static func encode(_ value: some Encodable) throws -> EncodedDocument {
        var state = EncodingState()
        try unsafe withUnsafeMutablePointer(to: &state) { state in
            try value.encode(to: unsafe ValueEncoder(state: state, frame: 0))
        }
        return EncodedDocument(bytes: try state.document(), omittedFields: state.omittedFields)
    }
}
