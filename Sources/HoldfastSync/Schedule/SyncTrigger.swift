/// Why sync is asked to look.
public enum SyncTrigger: Hashable, Sendable {
    /// A record was written here.
    case localWrite
    /// The app came to the foreground.
    case foreground
    /// The network came back: an edge, not a state.
    case reconnect
    /// The network went away: a hint that is displayed.
    case disconnect
    /// The server has said that there is something, in these scopes; in any, when it names none.
    case poke(Set<ScopeName> = [])
    /// A person or the app asks.
    case manual
}
