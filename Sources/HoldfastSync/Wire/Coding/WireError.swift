/// Why a message is not one of the protocol's.
package struct WireError: Error, Hashable, Sendable {
    /// What is wrong; it quotes nothing of the message.
    package let message: String
    /// Where: names of fields and places in arrays, such as `ops/3/base`.
    package let path: String

    package init(_ message: String, at path: String) {
        self.message = message
        self.path = path
    }
}

extension WireError: CustomStringConvertible {
    /// Where, and what is wrong.
    package var description: String { path.isEmpty ? message : "\(path) \(message)" }
}
