import HoldfastStorage
import Synchronization

/// A line on a terminal that shows how far long work is.
final class ProgressBar: Sendable {
    private struct State {
        var lastShown: ContinuousClock.Instant?
        var isShown = false
    }

    private let title: String
    private let total: UInt64?
    private let style: TerminalStyle?
    private let write: @Sendable (String) -> Void
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state = Mutex(State())

    /// Begins to show work of a known or unknown size.
    ///
    /// Without the style of a terminal nothing is ever written.
    init(
        _ title: String,
        total: UInt64?,
        style: TerminalStyle?,
        write: @escaping @Sendable (String) -> Void
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
    ///   - total: The total, where it was not known at the start.
    ///   - note: What stands behind the bar, made only when it is shown.
    func update(_ completed: UInt64, of total: UInt64? = nil, _ note: @autoclosure () -> String) {
        guard let style else { return }
        let now = clock.now
        let isDue = state.withLock { state in
            if let lastShown = state.lastShown, now - lastShown < .milliseconds(100) {
                return false
            }
            state.lastShown = now
            state.isShown = true
            return true
        }
        guard isDue else { return }
        let line = ProgressLine(
            title: title,
            completed: completed,
            total: total ?? self.total,
            note: note()
        )
        write("\r\(line.text(columns: style.columns - 1))\u{1B}[K")
    }

    /// Shows how far work on a store's files is.
    func update(_ progress: MaintenanceProgress) {
        update(progress.completed, of: progress.total, Int(clamping: progress.completed).asBytes)
    }

    /// Takes the line away, so that what follows stands alone.
    func finish() {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { write("\r\u{1B}[K") }
    }

    /// Time since the work began.
    var elapsed: Duration { clock.now - start }

    deinit { finish() }
}
