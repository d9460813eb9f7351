import HoldfastStorage

/// Where a command writes: results to standard output, messages to standard error.
final class Console {
    /// Results; nothing reaches it before a flush.
    let output = OutputStream(.standardOutput)
    /// Whether results are for a program: one JSON object a line.
    let isJSON: Bool
    /// How standard output is written for a person; `nil` when it is not a terminal or is JSON.
    let terminal: TerminalStyle?

    init(isJSON: Bool) {
        self.isJSON = isJSON
        let isForPerson = !isJSON && Descriptor.standardOutput.isTerminal
        terminal = isForPerson ? TerminalStyle(.standardOutput) : nil
    }

    /// Writes a line to standard error at once.
    ///
    /// A closed standard error is not an error: there is nobody left to tell.
    func message(_ text: String) { Self.writeToStandardError(text + "\n") }

    /// A progress bar on standard error; it shows nothing where that is not a terminal, or where
    /// results that appear meanwhile would run into it.
    func progress(
        _ title: String,
        total: UInt64?,
        besideResults: Bool = false
    ) -> ProgressBar {
        let isClear = !(besideResults && Descriptor.standardOutput.isTerminal)
        let isShown = Descriptor.standardError.isTerminal && isClear
        let style = isShown ? TerminalStyle(.standardError) : nil
        return ProgressBar(title, total: total, style: style, write: Self.writeToStandardError)
    }

    static func writeToStandardError(_ text: String) {
        try? Descriptor.standardError.write(Array(text.utf8).span)
    }
}
