/// Input that cannot be taken, and where it stands.
package struct LineError: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// What is wrong, without the line.
    package let message: String

    /// Describes what is wrong with a line.
    package init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }
}
