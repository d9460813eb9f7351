import Holdfast

/// One figure of `hold bench`.
struct BenchFigure: Sendable {
    /// Its key for programs.
    let key: String
    /// What it is, for people.
    let title: String
    /// The figure.
    let value: Double
    /// Its unit.
    let unit: String

    /// A duration in microseconds.
    static func time(_ key: String, _ title: String, _ time: Duration) -> BenchFigure {
        BenchFigure(key: key, title: title, value: time.seconds * 1e6, unit: "us")
    }

    /// So many of something in a duration.
    static func rate(_ key: String, _ title: String, _ count: Int, in time: Duration) -> BenchFigure
    {
        let rate = Double(count) / max(time.seconds, 1e-9)
        return BenchFigure(key: key, title: title, value: rate.rounded(), unit: "/s")
    }

    /// The figure as people write it.
    var text: String {
        value >= 1_000 ? Int(min(value, 1e15)).grouped : value.rounded1
    }
}
