/// A line on a terminal that shows how far long work is.
final class ProgressBar {
    private let title: String
    private let total: UInt64?
    private let style: TerminalStyle?
    private let write: (String) -> Void
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?
    private var isShown = false

    /// Begins to show work of a known or unknown size.
    ///
    /// Without the style of a terminal nothing is ever written.
    init(
        _ title: String,
        total: UInt64?,
        style: TerminalStyle?,
        write: @escaping (String) -> Void
    ) {
        self.title = title
        self.total = total
        self.style = style
        self.write = write
        start = clock.now
    }

    /// Shows the state of the work, at most ten times a second.
    ///
    /// - Parameters:
    ///   - completed: How much of the total is done.
    ///   - note: What stands behind the bar, made only when it is shown.
    func update(_ completed: UInt64, _ note: @autoclosure () -> String) {
        guard let style else { return }
        let now = clock.now
        if let lastShown, now - lastShown < .milliseconds(100) { return }
        lastShown = now
        isShown = true
        let line = ProgressLine(title: title, completed: completed, total: total, note: note())
        write("\r\(line.text(columns: style.columns - 1))\u{1B}[K")
    }

    /// Takes the line away, so that what follows stands alone.
    func finish() {
        if isShown { write("\r\u{1B}[K") }
        isShown = false
    }

    /// Time since the work began.
    var elapsed: Duration { clock.now - start }

    deinit { finish() }
}
