/// A document that a value was encoded to.
package struct EncodedDocument: Sendable {
    /// The document.
    package let bytes: [UInt8]
    /// The fields that the type's coding named and left out, because they are `nil`.
    package let omittedFields: [String]
}
