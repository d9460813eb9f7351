import HoldfastNetwork
import HoldfastSync

/// What a request asks for.
enum Route: String, CaseIterable, Hashable, Sendable {
    case hello = "/sync/hello"
    case push = "/sync/push"
    case changes = "/sync/changes"
    case snapshot = "/sync/snapshot"
    case records = "/sync/records"
    case feed = "/sync/feed"
    case health = "/health"
    case metrics = "/metrics"

    /// The methods that it takes.
    var methods: [String] {
        switch self {
        case .push: ["POST"]
        case .feed: ["GET"]
        case .hello, .changes, .snapshot, .records, .health, .metrics: ["GET", "HEAD"]
        }
    }

    /// Whether it answers those whom nobody knows: with nothing that is anybody's.
    var isPublic: Bool { self == .health }

    /// Finds what a request asks for.
    ///
    /// - Throws: ``ServerRefusal`` 404 for a path that is none, and 405 for another method.
    init(_ method: String, _ path: String) throws(ServerRefusal) {
        guard let route = Route(rawValue: path) else {
            throw ServerRefusal(404, "about:blank", "There is nothing at this path.")
        }
        guard route.methods.contains(method) else {
            let methods = route.methods.joined(separator: " or ")
            throw ServerRefusal(405, "about:blank", "This path takes \(methods).")
        }
        self = route
    }
}
