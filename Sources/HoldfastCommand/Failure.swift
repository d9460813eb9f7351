/// A failure with a message for the person or script that called: what happened, what remains, and
/// what to do.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line.
    package let description: String

    /// Describes a failure.
    package init(_ description: String) { self.description = description }
}
