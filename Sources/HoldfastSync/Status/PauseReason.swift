/// Why sync does not go on by itself.
public enum PauseReason: Hashable, Sendable {
    /// The account has to sign in anew.
    case auth
    /// The server refuses this account.
    case forbidden
    /// Nothing answers at the address that is configured.
    case misconfigured
    /// The server has no room for this account.
    case quota
    /// The server asks for a newer app.
    case upgrade
    /// A pull would remove this many records of a scope: confirm the set or find out why.
    case massDelete(MassDelete)
    /// There is no network.
    case offline
    /// The server cannot be reached.
    case unreachable
    /// Another dataset answers than the store belongs to.
    case dataset(DatasetID)
    /// The server answers against the protocol, or leads in a circle.
    case invalidAnswers
    /// The account has been signed out.
    case signedOut
}

/// Removals that wait to be confirmed.
public struct MassDelete: Hashable, Sendable {
    /// The name to confirm them by.
    public let set: String
    /// The scope.
    public let scope: ScopeName
    /// How many records would go, at least.
    public let count: Int
}
