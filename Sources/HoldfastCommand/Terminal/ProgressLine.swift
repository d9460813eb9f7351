/// One state of a progress bar as text.
package struct ProgressLine: Sendable {
    private let title: String
    private let completed: UInt64
    private let total: UInt64?
    private let note: String

    /// Describes a state; `total` is `nil` for work of unknown size.
    package init(title: String, completed: UInt64, total: UInt64?, note: String) {
        self.title = title
        self.completed = completed
        self.total = total
        self.note = note
    }

    /// The line, cut to a width.
    package func text(columns: Int) -> String {
        String("\(title) \(bar)\(note)".prefix(max(0, columns)))
    }

    private var bar: String {
        guard let total, total > 0 else { return "" }
        let share = min(1, Double(completed) / Double(total))
        let width = 24
        let filled = Int(share * Double(width))
        let blocks = String(repeating: "#", count: filled)
        let space = String(repeating: ".", count: width - filled)
        return "[\(blocks)\(space)] \(Int(share * 100))% "
    }
}
