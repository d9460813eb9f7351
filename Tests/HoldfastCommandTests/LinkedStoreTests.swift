import Holdfast
import HoldfastCommand
import HoldfastNetwork
import HoldfastSync
import Testing

/// What the commands do to stores that are synced, without a server that takes anything.
@Suite struct LinkedStoreTests {
    private let hold: Hold
    /// Nobody listens at this port of this machine.
    private let nowhere = "http://127.0.0.1:9"

    init() throws { hold = try Hold() }

    private func status(_ store: String) throws -> JSONObject {
        try JSONObject(parsing: hold.run("status", store, "--json").output)
    }

    /// Links the store, which fails to reach anybody.
    private func link() throws {
        let outcome = try hold.run("sync", hold.store, nowhere, "--timeout", "1")
        #expect(outcome.ending == .exited(1))
    }

    /// Opens the store as the library does, and closes it.
    private func withStore(
        schema: Schema? = nil,
        _ body: (Store) async throws -> Void
    ) async throws {
        let store = try await Store.open(at: hold.store, schema: schema)
        do {
            try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    @Test func anAppsStoreIsReadAndNotWritten() async throws {
        // No engine ran yet: what waits is all that tells of sync.
        let schema = Schema(version: 2) { Table("notes").synced() }
        try await withStore(schema: schema) { store in
            _ = try await store.write { try $0.put(["id": "a", "n": 1], in: "notes") }
        }
        let file = try hold.file("more.jsonl", #"{"id":"b"}"#)
        for command in [
            ["put", hold.store, "notes", #"{"id":"b"}"#], ["delete", hold.store, "notes", "a"],
            ["patch", hold.store, "notes", "a", #"{"n":2}"#],
            ["import", hold.store, "notes", file], ["sync", hold.store, nowhere],
            ["sync", hold.store, nowhere, "--dry-run"],
        ] {
            let outcome = try hold.run(command)
            #expect(outcome.ending == .exited(1), "\(command)")
            #expect(outcome.errors.contains("an app syncs this store"), "\(command)")
        }
        #expect(try hold.run("get", hold.store, "notes", "a").lines == [#"{"id":"a","n":1}"#])
        #expect(try status(hold.store)["pending"] == 1)
        let text = try hold.run("status", hold.store).output
        #expect(text.contains("1 change waits") && text.contains("an app syncs this store"))
        #expect(try hold.run("outbox", hold.store, "--json").lines.count == 1)
        #expect(try hold.run("conflicts", hold.store).ending == .exited(0))
        #expect(try hold.run("explain", hold.store, "notes", "a").ending == .exited(0))
    }

    @Test func whatIsLocalIsNeitherPlannedNorQueued() throws {
        _ = try hold.run("put", hold.store, "notes", #"{"id":"a"}"#)
        _ = try hold.run("put", hold.store, "drafts", #"{"id":"d"}"#, "--local")
        let plan = try hold.run("sync", hold.store, nowhere, "--dry-run")
        #expect(plan.ending == .exited(0) && plan.errors.contains("up to 1 record "))
        try link()
        #expect(try status(hold.store)["pending"] == 1)
        _ = try hold.run("put", hold.store, "drafts", #"{"id":"e"}"#)
        _ = try hold.run("put", hold.store, "later", #"{"id":"l"}"#)
        #expect(try status(hold.store)["pending"] == 2)
        let steps = try hold.run("sync", hold.store, nowhere, "--dry-run", "--json").lines
        #expect(try steps.map { try JSONObject(parsing: $0)["table"] } == ["notes", "later"])
    }

    @Test func aRefusedChangeIsRetriedOrDiscarded() async throws {
        _ = try hold.run("put", hold.store, "notes", #"{"id":"a"}"#)
        try link()
        let line = try #require(try hold.run("outbox", hold.store, "--json").lines.first)
        let key = try #require(try JSONObject(parsing: line)["key"]?.stringValue)
        try await refuseEverything()
        #expect(try status(hold.store)["attention"] == 1)
        #expect(try hold.run("status", hold.store).output.contains("your attention"))
        #expect(try hold.run("outbox", hold.store).output.contains("refused: no"))
        #expect(try hold.run("outbox", hold.store, "retry", "other").ending == .exited(1))
        #expect(try hold.run("outbox", hold.store, "retry", key).ending == .exited(0))
        #expect(try status(hold.store)["attention"] == 0)
        #expect(try status(hold.store)["pending"] == 1)
        try await refuseEverything()
        let waiting = try hold.run("outbox", hold.store, "--json").lines
        let again = try #require(try JSONObject(parsing: waiting[0])["key"]?.stringValue)
        #expect(try hold.run("outbox", hold.store, "discard", again).ending == .exited(0))
        #expect(try status(hold.store)["pending"] == 0)
        #expect(try hold.run("get", hold.store, "notes", "a").ending == .exited(1))
    }

    /// Makes what waits refused, as a server's answer does.
    private func refuseEverything() async throws {
        try await withStore { store in
            try await store.writeUnrecorded { transaction in
                var waiting: [Mutation] = []
                try transaction.scanMutations { mutation in
                    waiting.append(mutation)
                    return true
                }
                for var mutation in waiting {
                    mutation.state = .attention(SyncProblem(type: "invalid", detail: "no"))
                    try transaction.set(mutation)
                }
            }
        }
    }

    @Test func aCaptivePortalIsNoServer() async throws {
        _ = try hold.run("put", hold.store, "notes", #"{"id":"a"}"#)
        let portal = try SocketListener(host: "127.0.0.1", port: 0)
        let child = try hold.start(
            "sync",
            hold.store,
            "http://127.0.0.1:\(portal.port)",
            "--timeout",
            "2"
        )
        // It takes the first request; later ones may wait until the timeout.
        let stream = try await portal.accept()
        _ = try await stream.read(until: nil)
        let page = "<html>Welcome to our hotel</html>"
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
            + "Content-Length: \(page.utf8.count)\r\n\r\n\(page)"
        try await stream.write(Array(answer.utf8), patience: .seconds(10))
        #expect(try child.wait() == .exited(1))
        let errors = try hold.text(hold.path("errors"))
        #expect(errors.hasPrefix("hold: error: ") && !errors.contains("synced"))
        #expect(try status(hold.store)["pending"] == 1)
        #expect(try status(hold.store)["lastSync"] == nil)
    }

    @Test(arguments: [true, false])
    func watchEndsWellWithoutAServer(isTerminated: Bool) throws {
        _ = try hold.run("put", hold.store, "notes", #"{"id":"a"}"#)
        let errors = try Pipe()
        let child = try hold.start(
            ["sync", hold.store, nowhere, "--watch", "--timeout", "1"],
            errors: errors.writeEnd
        )
        errors.writeEnd.close()
        #expect(try !errors.readEnd.read(atMost: 200).isEmpty)
        if isTerminated { child.terminate() } else { child.interrupt() }
        #expect(try child.wait() == .exited(isTerminated ? 0 : 130))
        #expect(try hold.run("verify", hold.store).ending == .exited(0))
        #expect(try hold.run("get", hold.store, "notes", "a").ending == .exited(0))
    }
}
