import Foundation

extension Results {
    /// The figures as a Markdown table, the settings above it.
    var table: String {
        let kinds = kinds
        var lines = [
            "\(options.records) records of 274 bytes, \(options.rounds) rounds, seed"
                + " \(options.seed); \(statistic).",
            "",
        ]
        lines += kinds.map { "- \($0.title): \($0.settings)" } + [""]
        if !remarks.isEmpty { lines += remarks.map { "- \($0)" } + [""] }
        let ratios = kinds.filter(\.isHoldfast)
        lines.append(
            Self.line(
                ["work", "unit"] + kinds.map(\.title)
                    + ratios.map { "\($0.title) / best peer" }
            )
        )
        lines.append(
            Self.line(["---", "---"] + (kinds + ratios).map { _ in "---:" })
        )
        for row in rows {
            let values = kinds.map { row.figure($0).map { FigureText.number($0, row.unit) } ?? "" }
            let shares = ratios.map { kind in
                row.isLimit ? "" : row.ratio(kind).map(FigureText.ratio) ?? ""
            }
            lines.append(Self.line([row.title, row.unit.rawValue] + values + shares))
        }
        return lines.joined(separator: "\n")
    }

    private var statistic: String {
        options.quantile == 0.5 ? "medians" : "quantile \(options.quantile) from worst to best"
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
