/// How large the parts of a message may be.
package enum WireLimits {
    /// The longest key, group, and name of a client, dataset or epoch, in bytes.
    package static let identifierBytes = 128
    /// The longest name of a scope, an action or a principal, in bytes.
    package static let nameBytes = 255
    /// The longest cursor, in bytes.
    package static let cursorBytes = 8_192
    /// The longest text for a person, in bytes; a longer one is cut.
    package static let detailBytes = 4_096
    /// The most elements of a list.
    package static let elements = 100_000

    /// Whether a text can name something: not empty, not too long, without control characters.
    package static func isName(_ text: String, atMost limit: Int = identifierBytes) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= limit
            && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
