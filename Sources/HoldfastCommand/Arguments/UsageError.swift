/// A command line that cannot be followed; nothing was touched.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a line without the command's name.
    package let description: String

    /// Describes what is wrong.
    package init(_ description: String) { self.description = description }
}
