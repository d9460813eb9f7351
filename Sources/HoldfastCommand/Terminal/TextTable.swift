/// A table for people: columns as wide as their widest cell, cut where the terminal ends.
package struct TextTable: Sendable {
    /// A column of a table.
    package struct Column: Sendable {
        let title: String
        let isNumeric: Bool

        /// Describes a column; numbers stand to the right.
        package init(_ title: String, isNumeric: Bool = false) {
            self.title = title
            self.isNumeric = isNumeric
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// An empty table.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for each column.
    package mutating func append(_ cells: [String]) {
        rows.append(cells.map(\.withoutControls))
    }

    /// The lines of the table: titles, then rows.
    ///
    /// - Parameter style: The terminal; `nil` cuts and paints nothing.
    /// - Returns: Lines without line ends.
    package func lines(_ style: TerminalStyle?) -> [String] {
        let widths = fittingWidths(style?.columns)
        let title = line(columns.map(\.title), widths)
        return [style?.paint(title, .strong) ?? title] + rows.map { line($0, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var parts: [String] = []
        for (index, width) in widths.enumerated() {
            let cell = index < cells.count ? cells[index] : ""
            parts.append(cell.fitted(to: width, onRight: columns[index].isNumeric))
        }
        return parts.joined(separator: "  ").withoutTrailingSpaces
    }

    /// Shrinks the widest column until the line fits; a column keeps at least four characters.
    private func fittingWidths(_ available: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.count) { width, row in
                max(width, index < row.count ? row[index].count : 0)
            }
        }
        guard let available else { return widths }
        while widths.reduce(2 * (widths.count - 1), +) > available {
            guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
                widths[widest] > 4
            else { break }
            let excess = widths.reduce(2 * (widths.count - 1), +) - available
            let second = widths.enumerated().filter { $0.offset != widest }.map(\.element).max()
            let floor = max(4, min(second ?? 4, widths[widest] - 1))
            widths[widest] = max(floor, widths[widest] - excess)
        }
        return widths
    }
}

extension String {
    /// Text from data must not steer the terminal, nor change the order in which it shows what
    /// stands beside it.
    var withoutControls: String {
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar.steersTerminal ? "\u{FFFD}" : scalar)
        }
        return result
    }

    fileprivate func fitted(to width: Int, onRight: Bool) -> String {
        if count > width { return String(prefix(max(0, width - 1))) + "…" }
        let padding = String(repeating: " ", count: width - count)
        return onRight ? padding + self : self + padding
    }

    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or embeds, overrides or isolates a direction of writing.
    fileprivate var steersTerminal: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
