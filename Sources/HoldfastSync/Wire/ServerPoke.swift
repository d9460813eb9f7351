/// `GET sync/feed`: a hint that there is something to ask for, which never carries data.
public enum ServerPoke: Hashable, Sendable {
    /// Something changed in these scopes; in any that the principal sees, when it names none.
    case poke(Set<ScopeName>)
    /// Nothing; the line is alive.
    case ping
    /// Something may have been missed.
    case resync
}
