import Foundation

/// Figures as people write them.
enum FigureText {
    /// A figure with three or four digits that count.
    static func number(_ value: Double, _ unit: Figure.Unit) -> String {
        if !unit.isRate, value >= 100 { return String(format: "%.0f", value) }
        if value >= 1_000_000 { return String(format: "%.2f M", value / 1_000_000) }
        if value >= 10_000 { return String(format: "%.0f k", value / 1_000) }
        if value >= 1_000 { return String(format: "%.1f k", value / 1_000) }
        if value >= 100 { return String(format: "%.0f", value) }
        return String(format: value >= 10 ? "%.1f" : "%.2f", value)
    }

    /// How many times something is another.
    static func ratio(_ value: Double) -> String {
        String(format: value >= 10 ? "%.0f" : value < 0.1 ? "%.2g" : "%.2f", value)
    }
}
