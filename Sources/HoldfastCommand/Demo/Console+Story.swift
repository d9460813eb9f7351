/// How a demonstration tells its story; with `--json` it tells none.
extension Console {
    /// Says what happens to somebody, at once.
    func step(_ name: String, _ text: String) throws {
        let padding = String(repeating: " ", count: max(0, 9 - name.count))
        try say("  \(paint(name, .strong))\(padding)\(text)")
    }

    /// Says a line, at once.
    func say(_ text: String) throws {
        if isJSON { return }
        output.append(text + "\n")
        try output.flush()
    }

    /// The text in a colour, where a terminal shows it.
    func paint(_ text: String, _ colour: TerminalStyle.Colour) -> String {
        terminal?.paint(text, colour) ?? text
    }
}
