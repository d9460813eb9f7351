/// How a connection to the server behaves: what is lost, doubled and late.
///
/// ```swift
/// var conditions = NetworkConditions.poor
/// conditions.lostAnswers = 0.5
/// ```
package struct NetworkConditions: Hashable, Sendable {
    /// What stands between a replica and the server.
    package enum Link: String, Hashable, Sendable, CaseIterable {
        /// Requests reach the server.
        case open
        /// There is no network: a request fails at once.
        case offline
        /// A captive portal answers every request with a page of its own.
        case portal
        /// Requests leave and nothing ever comes back.
        case silent
    }

    /// What stands in between.
    package var link: Link
    /// How long a message takes one way.
    package var latency: ClosedRange<Duration>
    /// The share of requests that are lost on their way, before they have an effect.
    package var lostRequests: Double
    /// The share of answers that are lost, after the request had its effect.
    package var lostAnswers: Double
    /// The share of requests that arrive a second time, some time later.
    package var duplicates: Double
    /// The share of requests that arrive only after the sender has given up.
    package var lateRequests: Double
    /// The share of requests that something on the way answers with status 502, 503 or 429.
    package var refusals: Double
    /// The share of answers that are cut or changed, so that they are no longer valid.
    package var garbage: Double
    /// The share of answers that are valid and not what the server has said.
    package var distortions: Double

    /// Conditions; by default everything arrives, in 20 to 80 milliseconds.
    ///
    /// - Parameters:
    ///   - link: What stands in between.
    ///   - latency: How long a message takes one way.
    package init(
        _ link: Link = .open,
        latency: ClosedRange<Duration> = .milliseconds(20)...(.milliseconds(80))
    ) {
        self.link = link
        self.latency = latency
        lostRequests = 0
        lostAnswers = 0
        duplicates = 0
        lateRequests = 0
        refusals = 0
        garbage = 0
        distortions = 0
    }

    /// Everything arrives, soon.
    package static let good = Self()

    /// A train in the hills: slow, and of each kind of failure some.
    package static let poor: Self = {
        var conditions = Self(.open, latency: .milliseconds(50)...(.seconds(4)))
        conditions.lostRequests = 0.1
        conditions.lostAnswers = 0.15
        conditions.duplicates = 0.1
        conditions.lateRequests = 0.05
        conditions.refusals = 0.05
        conditions.garbage = 0.03
        conditions.distortions = 0.03
        return conditions
    }()
}
