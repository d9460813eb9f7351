import HoldfastSync

/// Who pushes, and what does not change meanwhile.
final class PushContext: Sendable {
    let server: SyncServer
    let principal: Principal
    let client: ClientID
    /// The scopes that the principal sees.
    let visible: Set<ScopeName>

    init(server: SyncServer, principal: Principal, client: ClientID, visible: Set<ScopeName>) {
        self.server = server
        self.principal = principal
        self.client = client
        self.visible = visible
    }
}
