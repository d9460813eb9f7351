/// Why a message cannot be read: nobody knows where the next one would begin.
package struct HTTPFault: Error, Hashable, Sendable {
    /// The status that a server answers with before it closes the connection.
    package let status: Int
    /// What is wrong, for a person; it quotes nothing of the message.
    package let detail: String

    package init(status: Int, detail: String) {
        self.status = status
        self.detail = detail
    }

    static func malformed(_ detail: String) -> HTTPFault { HTTPFault(status: 400, detail: detail) }
}

extension HTTPFault: CustomStringConvertible {
    package var description: String { "\(status): \(detail)" }
}
