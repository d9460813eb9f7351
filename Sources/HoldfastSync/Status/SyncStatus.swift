/// How far a store and its server are apart, derived each time from what is stored and what the
/// engine is doing: nothing of it is ever stored.
public struct SyncStatus: Hashable, Sendable {
    /// What the engine does just now.
    public enum Phase: Hashable, Sendable {
        /// Nothing.
        case idle
        /// It asks who is there.
        case connecting
        /// It sends changes.
        case sending
        /// It receives changes.
        case receiving
        /// It reads a scope anew.
        case reading
    }

    /// What the engine does just now.
    public var phase = Phase.idle
    /// Changes that wait here: not sent, not answered, or in need of attention.
    public var pending = 0
    /// Changes that the server has acknowledged and no pull has confirmed.
    public var unconfirmed = 0
    /// Changes that the server refused.
    public var attention = 0
    /// Records that wait for a decision between two versions.
    public var conflicts = 0
    /// Records that came in an older form, and that a step of this app's schema could not be run on:
    /// they stand here as they came.
    public var unstepped = 0
    /// When the oldest change that waits was made, in milliseconds since 1970 by this device's
    /// clock.
    public var oldestPending: Int64?
    /// Why nothing goes on by itself.
    public var pause: PauseReason?
    /// What became of the last request that failed, until one succeeds.
    public var lastFailure: TransportFailure?
    /// How long until the next attempt, as of now.
    public var nextAttempt: Duration?
    /// How long ago the server last answered, as of now.
    public var lastSuccess: Duration?
    /// Whether a request got no answer in time, and none was answered since.
    public var isStalled = false
    /// Whether every change that was committed here is confirmed by the server, and everything that
    /// the server had was received.
    public var isSynced = false

    /// The status of a store that does nothing.
    public init() {}
}

extension SyncStatus: CustomStringConvertible {
    /// A line for a person.
    public var description: String {
        var parts: [String] = []
        if attention > 0 {
            parts.append(Self.count(attention, "change needs", "changes need") + " your attention")
        }
        if conflicts > 0 {
            parts.append(
                Self.count(conflicts, "record waits", "records wait") + " for your decision"
            )
        }
        if unstepped > 0 {
            parts.append(
                Self.count(unstepped, "record is", "records are") + " of an older version"
            )
        }
        if pending > attention {
            parts.append(Self.count(pending - attention, "change waits", "changes wait"))
        }
        if unconfirmed > 0 {
            parts.append(Self.count(unconfirmed, "change is", "changes are") + " not confirmed yet")
        }
        if let pause { parts.append(pause.description) }
        if isStalled { parts.append("the server does not answer") }
        if parts.isEmpty { return isSynced ? "synced" : "nothing waits here" }
        return parts.joined(separator: "; ")
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
