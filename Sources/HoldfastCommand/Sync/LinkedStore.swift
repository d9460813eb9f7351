import Holdfast
import HoldfastNetwork
import HoldfastSync

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store's part in sync, as far as the command line has to do with it.
enum LinkedStore {
    /// The time, in milliseconds since 1970.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Lets the writes of records that follow be queued, where the store is linked.
    ///
    /// - Throws: ``Failure`` for a store that an app syncs by a schema of its own: what is written
    ///   past it would never be sent.
    static func prepareForWriting(_ store: Store) throws {
        guard try !isSyncedByApp(store) else {
            throw Failure(
                "an app syncs this store by rules of its own, and would not send what is written "
                    + "here; write it in the app"
            )
        }
        try store.followLink()
    }

    /// Whether an app syncs the store by a schema of its own.
    ///
    /// Its writes are queued from the first one on; a state of the replica is there only once its
    /// engine ran.
    static func isSyncedByApp(_ store: Store) throws -> Bool {
        try store.read { transaction in
            if try transaction.storeLink().isLinked { return false }
            return try transaction.clientState() != nil || transaction.pendingCount() > 0
        }
    }

    /// Refuses a store that `hold sync` has nothing to do with.
    static func requireSyncable(_ store: Store) throws {
        if store.isServed {
            throw Failure("a server serves this store, so that it is synced with no other")
        }
        guard try !isSyncedByApp(store) else {
            throw Failure("an app syncs this store by rules of its own; sync it in the app")
        }
    }

    /// Makes the store one that is synced with a server, if it is not one already.
    static func link(_ store: Store, to url: String) async throws {
        try requireSyncable(store)
        var link = try store.read { try $0.storeLink() }
        if link.url != url {
            link.url = url
            let renewed = link
            try await store.writeUnrecorded(.synced) { try $0.set(renewed) }
        }
        try store.followLink()
    }

    /// Takes a table out of sync, before the store is linked.
    static func keepLocal(_ table: TableName, in store: Store) async throws {
        var link = try store.read { try $0.storeLink() }
        if link.local.contains(table) { return }
        if link.isLinked {
            throw Failure("table \(table) is synced already; --local is for a new table")
        }
        link.local.insert(table)
        let renewed = link
        try await store.writeUnrecorded(.synced) { try $0.set(renewed) }
    }

    /// Everything was confirmed just now.
    static func noteSync(_ store: Store) async throws {
        var link = try store.read { try $0.storeLink() }
        link.lastSync = now()
        let renewed = link
        try await store.writeUnrecorded { try $0.set(renewed) }
    }

    /// An engine that asks nobody, for what needs none.
    static func offlineEngine(_ store: Store) throws -> SyncEngine {
        try SyncEngine(store: store, transport: try transport("http://localhost"))
    }

    /// A transport to a server.
    static func transport(_ url: String) throws -> SocketTransport {
        let server = try Self.server(url)
        return SocketTransport(server) { Int64(Date().timeIntervalSince1970) }
    }

    /// Where a server is.
    static func server(_ text: String) throws(UsageError) -> ServerURL {
        let url: ServerURL
        do throws(ServerURL.Problem) { url = try ServerURL(text) } catch {
            throw UsageError("'\(text)' \(error)")
        }
        guard !url.isSecure else {
            throw UsageError(
                "hold speaks plain HTTP: put a proxy that speaks TLS between, such as stunnel or "
                    + "ssh -L, and give its http:// address"
            )
        }
        return url
    }
}

extension SyncStatus {
    /// The status for a script.
    var object: JSONObject {
        var object: JSONObject = [
            "pending": .integer(Int64(pending)), "unconfirmed": .integer(Int64(unconfirmed)),
            "attention": .integer(Int64(attention)), "conflicts": .integer(Int64(conflicts)),
            "unstepped": .integer(Int64(unstepped)),
        ]
        object["oldestPending"] = oldestPending.map { .integer($0) }
        object["pause"] = pause.map { .string($0.description) }
        return object
    }

    /// What a person types to go on, where it takes a decision; `nil` where it does not.
    var advice: String? {
        switch pause {
        case .massDelete(let removals): "hold sync ... --accept-deletes \(removals.set)"
        case .dataset(let dataset): "hold sync ... --accept-dataset \(dataset.text)"
        case .auth: "hold sync ... --token T, or HOLD_TOKEN in the environment"
        default: attention > 0 ? "hold outbox STORE" : conflicts > 0 ? "hold conflicts STORE" : nil
        }
    }
}
