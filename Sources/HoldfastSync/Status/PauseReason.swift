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

extension PauseReason: CustomStringConvertible {
    /// What has to be done, for a person.
    public var description: String {
        switch self {
        case .auth: "sign in again to go on"
        case .forbidden: "the server does not let this account in"
        case .misconfigured: "there is no sync server at this address"
        case .quota: "the account has no room left on the server"
        case .upgrade: "update the app to go on"
        case .massDelete(let removals):
            "\(removals.count) records would be removed: confirm it or find out why"
        case .offline: "there is no network"
        case .unreachable: "the server cannot be reached"
        case .dataset: "another server answers than the one that this store belongs to"
        case .invalidAnswers: "the server's answers make no sense"
        case .signedOut: "signed out"
        }
    }
}
