/// Why bytes are not a document, and where.
package struct DocumentError: Error, Hashable, Sendable {
    /// A kind of damage.
    package enum Reason: String, Sendable {
        /// Another version wrote it, or it is empty.
        case unknownVersion = "its version is unknown"
        /// A value reaches behind the end of what holds it.
        case truncated = "a value reaches behind its end"
        /// A value begins with a byte that means nothing.
        case unknownTag = "a value is of no known kind"
        /// A name or a text is not UTF-8.
        case invalidText = "a text is not UTF-8"
        /// A number is infinite or not a number.
        case invalidNumber = "a number is not finite"
        /// An object has one name twice.
        case duplicateName = "a field name comes twice"
        /// Values are nested deeper than ``JSONValue/nestingLimit``.
        case nestingTooDeep = "its values are nested too deep"
    }

    /// What is wrong.
    package let reason: Reason
    /// Where, in bytes from the start of the document.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension DocumentError: CustomStringConvertible {
    /// What is wrong and where.
    package var description: String {
        "The document is damaged: \(reason.rawValue), at byte \(offset)."
    }
}
