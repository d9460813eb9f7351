/// What a terminal can show.
package struct TerminalStyle: Sendable {
    /// A colour with a meaning of its own.
    package enum Colour: String, Sendable {
        case good = "32"
        case bad = "31"
        case faint = "2"
        case strong = "1"
    }

    /// Its width in columns.
    package let columns: Int
    private let hasColour: Bool

    /// Describes a terminal.
    package init(columns: Int, hasColour: Bool) {
        self.columns = columns
        self.hasColour = hasColour
    }

    /// Asks a terminal, and the environment as <https://no-color.org> has it.
    init(_ descriptor: Descriptor) {
        columns = descriptor.terminalColumns ?? 80
        hasColour =
            environmentVariable("NO_COLOR") == nil && environmentVariable("TERM") != "dumb"
    }

    /// The text in a colour, where the terminal has any.
    package func paint(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
