/// How long a transport waits, and how much it receives.
package struct TransportLimits: Sendable {
    /// How long a request may take, without what it allows the server to wait.
    package var timeout = Duration.seconds(25)
    /// How long the feed may be silent; servers ping every 20 seconds.
    package var feedSilence = Duration.seconds(60)
    /// The largest body of a response, in bytes.
    package var bodyBytes = 64 << 20

    package init() {}
}
