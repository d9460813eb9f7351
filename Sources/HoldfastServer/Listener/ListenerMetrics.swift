import HoldfastStorage
import Synchronization

/// What a listener counts, for those who watch it.
final class ListenerMetrics: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    private struct Requests {
        var count = 0
        var bytes = 0
        var seconds = 0.0
    }

    private struct Counts {
        var requests: [Key: Requests] = [:]
        var connections = 0
        var accepted = 0
        var refused = 0
        var feeds = 0
    }

    private let counts = Mutex(Counts())

    func answered(_ route: Route?, _ status: Int, bytes: Int, _ duration: Duration) {
        let key = Key(route: route?.name ?? "none", status: status)
        let seconds = duration / .seconds(1)
        counts.withLock {
            $0.requests[key, default: Requests()].count += 1
            $0.requests[key, default: Requests()].bytes += bytes
            $0.requests[key, default: Requests()].seconds += seconds
        }
    }

    func connected() {
        counts.withLock {
            $0.connections += 1
            $0.accepted += 1
        }
    }

    func disconnected() { counts.withLock { $0.connections -= 1 } }

    func refused() { counts.withLock { $0.refused += 1 } }

    func feed(_ change: Int) { counts.withLock { $0.feeds += change } }

    /// The figures in Prometheus' text format, version 0.0.4.
    func text(_ store: [(name: String, help: String, value: Int)]) -> String {
        let counts = counts.withLock { $0 }
        var text = MetricsText()
        let requests = counts.requests.sorted {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }
        let labels = requests.map { #"{route="\#($0.key.route)",status="\#($0.key.status)"}"# }
        text.add(
            "holdfast_requests_total",
            "Requests answered.",
            "counter",
            zip(labels, requests.map { "\($0.value.count)" })
        )
        text.add(
            "holdfast_response_bytes_total",
            "Bytes of bodies sent.",
            "counter",
            zip(labels, requests.map { "\($0.value.bytes)" })
        )
        text.add(
            "holdfast_request_seconds_total",
            "Time from the head of a request to the end of its response.",
            "counter",
            zip(labels, requests.map { "\($0.value.seconds)" })
        )
        text.add("holdfast_connections", "Connections now.", "gauge", counts.connections)
        text.add("holdfast_feeds", "Feeds now.", "gauge", counts.feeds)
        text.add("holdfast_connections_total", "Connections taken.", "counter", counts.accepted)
        text.add(
            "holdfast_connections_refused_total",
            "Connections refused because there were too many.",
            "counter",
            counts.refused
        )
        for figure in store { text.add(figure.name, figure.help, "gauge", figure.value) }
        return text.text
    }
}

/// Text in Prometheus' format, as it grows.
private struct MetricsText {
    var text = ""

    mutating func add(_ name: String, _ help: String, _ type: String, _ value: Int) {
        add(name, help, type, CollectionOfOne(("", "\(value)")))
    }

    mutating func add(
        _ name: String,
        _ help: String,
        _ type: String,
        _ values: some Sequence<(String, String)>
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in values { text += "\(name)\(labels) \(value)\n" }
    }
}

extension Route {
    /// Its last word, such as `push`.
    fileprivate var name: String { rawValue.split(separator: "/").last.map(String.init) ?? "" }
}
