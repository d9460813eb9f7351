/// One figure of one engine in one round.
struct Figure: Sendable {
    /// What a figure is counted in.
    enum Unit: String, Codable, Sendable {
        case perSecond = "/s"
        case microseconds = "us"
        case milliseconds = "ms"
        case mebibytes = "MiB"

        /// Whether more is better.
        var isRate: Bool { self == .perSecond }
    }

    /// Its key for programs.
    let key: String
    /// What it is, for people.
    let title: String
    let unit: Unit
    let value: Double

    /// So many of something in a duration.
    static func rate(_ key: String, _ title: String, _ count: Int, in time: Duration) -> Figure {
        Figure(
            key: key,
            title: title,
            unit: .perSecond,
            value: Double(count) / max(time.seconds, 1e-9)
        )
    }

    /// A duration of less than a millisecond.
    static func brief(_ key: String, _ title: String, _ time: Duration) -> Figure {
        Figure(key: key, title: title, unit: .microseconds, value: time.seconds * 1e6)
    }

    /// A longer duration.
    static func time(_ key: String, _ title: String, _ time: Duration) -> Figure {
        Figure(key: key, title: title, unit: .milliseconds, value: time.seconds * 1e3)
    }

    /// An amount of bytes.
    static func size(_ key: String, _ title: String, _ bytes: Int) -> Figure {
        Figure(key: key, title: title, unit: .mebibytes, value: Double(bytes) / 1_048_576)
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
