/// What is known of the server.
enum Connection: Sendable {
    /// Nothing, or not since it could not be reached.
    case unknown
    /// It is being asked.
    case probing(SyncMachine.RequestNumber, since: Duration)
    /// It answered.
    case known(ServerHello)

    var hello: ServerHello? {
        if case .known(let hello) = self { hello } else { nil }
    }
}

/// The credentials that requests are made with.
enum CredentialState: Sendable {
    /// There are none.
    case none
    /// These, as far as is known good.
    case known(SyncCredentials)
    /// Fresh ones have been asked for, in place of these.
    case refreshing(SyncCredentials)
    /// The server refuses these, and there are no others.
    case refused(SyncCredentials)

    var current: SyncCredentials {
        switch self {
        case .none: SyncCredentials()
        case .known(let credentials), .refreshing(let credentials), .refused(let credentials):
            credentials
        }
    }

    var isUsable: Bool {
        switch self {
        case .none, .known: true
        case .refreshing, .refused: false
        }
    }
}
