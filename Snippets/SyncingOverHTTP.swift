import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastServer
import HoldfastSync

let schema = Schema(version: 1) {
    Table("notes").synced()
}

/// A server for whoever has the token, at a port of this machine.
func listen() async throws -> SyncListener {
    let server = try await SyncServer(store: Store(storage: MemoryStorage(), schema: schema))
    let tokens = ["secret": Principal("ada")]
    var configuration = ListenerConfiguration(authentication: .tokens(tokens))
    configuration.port = 0
    return try SyncListener(server, configuration)
}

/// A device that syncs with the server at a URL.
func device(_ url: URL) async throws -> SyncEngine {
    let store = try await Store(storage: MemoryStorage(), schema: schema)
    // Asked when it begins, and again with the token that the server refused.
    let engine = try SyncEngine(store: store, transport: HTTPTransport(baseURL: url)) { rejected in
        rejected == nil ? "secret" : nil
    }
    engine.start()
    return engine
}

let listener = try await listen()
guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else {
    preconditionFailure("this is a URL")
}
let phone = try await device(url)
let laptop = try await device(url)

try await phone.store.write { try $0.put(["id": "1", "title": "Bread"], in: "notes") }
try await phone.waitForSync()
try await laptop.waitForSync()
print(try laptop.store.read { try $0.get("1", in: "notes")?["title"] } ?? "nothing")

await phone.stop()
await laptop.stop()
await listener.stop()
