import Foundation

/// A drawing of the results: Holdfast against the best peer at each kind of work.
///
/// Bars go to the right where Holdfast is ahead and to the left where it is behind, on one scale, in
/// colours that are readable on light and on dark.
struct Chart {
    private static let width = 1000.0
    private static let labels = 370.0
    private static let bars = 300.0
    private static let top = 64.0
    private static let bar = 11.0
    private static let gap = 10.0

    private let rows: [Results.Row]
    private let kinds: [EngineKind]
    private let records: Int
    /// The greatest power of two that the scale shows, in both directions.
    private let reach: Double

    init(_ results: Results) {
        kinds = results.kinds.filter(\.isHoldfast)
        records = results.options.records
        let kinds = kinds
        rows = results.rows.filter { row in
            !row.isLimit && kinds.contains { row.ratio($0) != nil }
        }
        let ratios = rows.flatMap { row in kinds.compactMap { row.ratio($0) } }
        reach = max(1, ratios.map { abs(log2($0)).rounded(.up) }.max() ?? 1)
    }

    /// The drawing.
    var svg: String {
        let rowHeight = Double(kinds.count) * Self.bar + Self.gap
        let bottom = Self.top + Double(rows.count) * rowHeight
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.text(Self.width)) \
            \(Self.text(bottom + 30))" font-family="system-ui, sans-serif" font-size="12" role="img">
            """,
            Self.style,
            title,
        ]
        lines += legend + scale(to: bottom)
        for (index, row) in rows.enumerated() {
            lines += draw(row, at: Self.top + Double(index) * rowHeight)
        }
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static let style = """
        <style>
        text { fill: #757d87 } .line { stroke: #8c959f }
        .holdfast { fill: #2f7fe6 } .holdfast-typed { fill: #c77b12 }
        @media (prefers-color-scheme: light) { .name { fill: #24292f } }
        @media (prefers-color-scheme: dark) { text { fill: #9198a1 } .name { fill: #e6edf3 } }
        </style>
        """

    private var title: String {
        let peers = "SQLite, LMDB, RocksDB and LevelDB"
        let text = "Holdfast against the best of \(peers), \(records) records"
        return Self.label(text, x: 8, y: 20, style: "class=\"name\" font-weight=\"600\"")
    }

    private var legend: [String] {
        let middle = Self.labels + Self.bars / 2
        let sides = [
            Self.label("behind", x: middle - 8, y: 42, style: "text-anchor=\"end\""),
            Self.label("ahead", x: middle + 8, y: 42),
        ]
        return sides
            + kinds.enumerated().flatMap { index, kind in
                let x = 8 + Double(index) * 110
                return [
                    Self.rectangle(x: x, y: 32, width: 11, kind),
                    Self.label(kind.title, x: x + 16, y: 42),
                ]
            }
    }

    private func scale(to bottom: Double) -> [String] {
        let step = reach > 8 ? 4.0 : reach > 4 ? 2.0 : 1.0
        let marks = stride(from: -(reach / step).rounded(.down) * step, through: reach, by: step)
        return marks.flatMap { power in
            let x = place(power)
            let factor = power < 0 ? "1/\(Int(exp2(-power)))" : "\(Int(exp2(power)))"
            let opacity = power == 0 ? "1" : "0.35"
            return [
                """
                <line class="line" x1="\(Self.text(x))" y1="\(Self.text(Self.top - 4))" \
                x2="\(Self.text(x))" y2="\(Self.text(bottom))" stroke-opacity="\(opacity)"/>
                """,
                Self.label("\(factor)x", x: x, y: bottom + 16, style: "text-anchor=\"middle\""),
            ]
        }
    }

    private func draw(_ row: Results.Row, at y: Double) -> [String] {
        let middle = y + Double(kinds.count) * Self.bar / 2 + 4
        var lines = [
            Self.label(
                row.title,
                x: Self.labels - 8,
                y: middle,
                style: "class=\"name\" text-anchor=\"end\" font-size=\"11\""
            )
        ]
        for (index, kind) in kinds.enumerated() {
            guard let ratio = row.ratio(kind) else { continue }
            let (from, to) = (place(0), place(log2(ratio)))
            let barTop = y + Double(index) * Self.bar
            lines.append(
                Self.rectangle(x: min(from, to), y: barTop, width: max(abs(to - from), 1), kind)
            )
        }
        lines.append(
            Self.label(
                summary(row),
                x: Self.labels + Self.bars + 12,
                y: middle,
                style: "font-size=\"11\""
            )
        )
        return lines
    }

    private func summary(_ row: Results.Row) -> String {
        let own = kinds.compactMap { row.ratio($0).map { "\(FigureText.ratio($0))x" } }
            .joined(separator: " and ")
        let values = kinds.compactMap { row.figure($0).map { FigureText.number($0, row.unit) } }
            .joined(separator: ", ")
        guard let best = row.bestPeer else { return "" }
        let peer =
            "\(best.kind.title) \(FigureText.number(best.value, row.unit)) \(row.unit.rawValue)"
        return "\(own): \(values); \(peer)"
    }

    private func place(_ power: Double) -> Double {
        Self.labels + Self.bars / 2 * (1 + power / reach)
    }

    private static func rectangle(
        x: Double,
        y: Double,
        width: Double,
        _ kind: EngineKind
    ) -> String {
        """
        <rect class="\(kind.rawValue)" x="\(text(x))" y="\(text(y))" width="\(text(width))" \
        height="\(text(bar - 1))"/>
        """
    }

    private static func label(
        _ words: String,
        x: Double,
        y: Double,
        style: String = ""
    ) -> String {
        let escaped = words.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
        return "<text x=\"\(text(x))\" y=\"\(text(y))\" \(style)>\(escaped)</text>"
    }

    private static func text(_ number: Double) -> String { String(format: "%.1f", number) }
}
