/// `GET sync/feed`: a hint that there is something to ask for, which never carries data.
public enum ServerPoke: String, Hashable, Sendable {
    /// Something changed.
    case poke
    /// Nothing; the line is alive.
    case ping
    /// Something may have been missed.
    case resync
}
