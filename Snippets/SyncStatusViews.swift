import Holdfast
import HoldfastSync

/// What an app shows of sync, in one place.
@MainActor
struct SyncLine {
    let live: LiveStatus

    var text: String {
        let status = live.status
        if status.isSynced { return "Everything is on the server" }
        if status.attention + status.conflicts > 0 { return "Something needs your attention" }
        if status.pause == .auth { return "Sign in to go on" }
        return status.pending > 0 ? "Saved on this device" : "Not looked yet"
    }
}

/// Opens everything fresh, syncs for at most 25 seconds, and closes everything.
func syncInTheBackground(
    storeAt path: String,
    schema: Schema,
    transport: any SyncTransport
) async throws -> SyncStatus {
    try await BackgroundSync.run(deadline: .seconds(25)) {
        let store = try await Store.open(at: path, schema: schema)
        return try SyncEngine(store: store, transport: transport)
    }
}

/// What somebody made before signing in becomes the account's.
func signIn(
    _ account: String,
    adopting anonymous: Store,
    into store: Store,
    transport: any SyncTransport,
    token: @escaping SyncEngine.TokenProvider
) async throws -> SyncEngine {
    let engine = try SyncEngine(
        store: store,
        transport: transport,
        account: account,
        token: token
    )
    try await engine.signIn()
    try await store.adopt(recordsOf: anonymous)
    engine.start()
    return engine
}
