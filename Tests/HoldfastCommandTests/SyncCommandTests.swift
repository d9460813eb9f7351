import Holdfast
import HoldfastCommand
import HoldfastNetwork
import HoldfastSync
import Testing

/// Stores and a server, by the commands alone.
@Suite struct SyncCommandTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private var phone: String { hold.path("phone") }
    private var laptop: String { hold.path("laptop") }

    /// Syncs a store, and says how that ended.
    @discardableResult
    private func sync(
        _ store: String,
        _ server: ServedProcess,
        _ more: [String] = ["--timeout", "3600"],
        token: String = "secret"
    ) throws -> Hold.Outcome {
        try hold.run(["sync", store, server.url, "--token", token] + more)
    }

    private func get(_ store: String, _ id: String) throws -> JSONObject? {
        let outcome = try hold.run("get", store, "notes", id)
        guard outcome.ending == .exited(0) else { return nil }
        return try JSONObject(parsing: outcome.output)
    }

    private func status(_ store: String) throws -> JSONObject {
        try JSONObject(parsing: hold.run("status", store, "--json").output)
    }

    @Test func twoStoresSyncThroughAServerThatIsStoppedInBetween() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a","title":"Bread","stars":1}"#)
        _ = try hold.run("put", phone, "drafts", #"{"id":"d"}"#, "--local")
        #expect(try sync(phone, server).ending == .exited(0))
        let synced = try sync(laptop, server)
        #expect(synced.ending == .exited(0) && synced.errors.contains("synced"))
        #expect(try get(laptop, "a") == ["id": "a", "title": "Bread", "stars": 1])
        #expect(try hold.run("get", laptop, "drafts", "d").ending == .exited(1))
        let port = try server.port
        try server.kill()
        // Apart, both edit one record.
        _ = try hold.run("patch", phone, "notes", "a", #"{"title":"Rye bread"}"#)
        _ = try hold.run("patch", laptop, "notes", "a", #"{"stars":5}"#)
        let waiting = try sync(phone, server, ["--timeout", "1"])
        #expect(waiting.ending == .exited(1))
        #expect(waiting.errors.contains("1 change waits"))
        #expect(try status(phone)["pending"] == 1)
        #expect(try hold.run("status", phone).output.contains("1 change waits"))
        #expect(try !hold.run("status", phone).output.contains("synced"))
        #expect(try hold.run("outbox", phone, "--json").lines.count == 1)
        let again = try ServedProcess(hold, port: port)
        for store in [phone, laptop, phone] {
            #expect(try sync(store, again).ending == .exited(0))
        }
        let expected: JSONObject = ["id": "a", "title": "Rye bread", "stars": 5]
        #expect(try get(phone, "a") == expected && get(laptop, "a") == expected)
        #expect(try status(phone)["pending"] == 0)
        #expect(try hold.run("outbox", phone, "--json").lines.isEmpty)
        _ = try hold.run("delete", laptop, "notes", "a")
        try sync(laptop, again)
        try sync(phone, again)
        #expect(try get(phone, "a") == nil)
        #expect(try hold.run("explain", phone, "notes", "a").output.contains("deleted"))
    }

    @Test func whatADecisionDiscardedIsListedAndBroughtBack() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a","title":"Bread"}"#)
        try sync(phone, server)
        try sync(laptop, server)
        _ = try hold.run("patch", phone, "notes", "a", #"{"title":"Rye"}"#)
        _ = try hold.run("patch", laptop, "notes", "a", #"{"title":"Spelt"}"#)
        for store in [phone, laptop, phone] { try sync(store, server) }
        #expect(try get(phone, "a")?["title"] == "Spelt")
        let lines = try hold.run("conflicts", phone, "--json").lines
        let entry = try JSONObject(parsing: try #require(lines.first))
        #expect(lines.count == 1 && entry["discarded"] == "Rye" && entry["kept"] == "Spelt")
        let id = try #require(entry["entry"]?.stringValue)
        #expect(try hold.run("conflicts", phone, "undo", id).ending == .exited(0))
        #expect(try get(phone, "a")?["title"] == "Rye")
        #expect(try hold.run("conflicts", phone, "undo", id).ending == .exited(1))
        for store in [phone, laptop] { try sync(store, server) }
        #expect(try get(laptop, "a")?["title"] == "Rye")
    }

    @Test func wrongTokensAndAddressesAreSaidPlainly() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        let stranger = try sync(phone, server, token: "wrong")
        #expect(stranger.ending == .exited(1) && stranger.errors.contains("sign in"))
        #expect(stranger.errors.contains("--token"))
        #expect(try status(phone)["pending"] == 1)
        #expect(
            try hold.run("sync", phone, server.url + "/other", "--token", "secret").ending
                == .exited(1)
        )
        for (url, word) in [
            ("https://host", "TLS"), ("host", "http://"), ("http://", "host"),
            ("http://h/?a", "base URL"),
        ] {
            let outcome = try hold.run("sync", phone, url)
            #expect(outcome.ending == .exited(64) && outcome.errors.contains(word), "\(url)")
        }
        #expect(try sync(phone, server).ending == .exited(0))
    }

    @Test(arguments: [
        ["serve"], ["serve", "s"], ["serve", "s", "--token", "x"], ["serve", "s", "--token", "=x"],
        ["serve", "s", "--token", "x="], ["serve", "s", "--open", "--token", "a=b"],
        ["serve", "s", "--open", "--listen", "8080"], ["serve", "s", "--open", "--listen", ":80"],
        ["serve", "s", "--open", "--listen", "h:99999"], ["sync", "s"], ["status"],
        ["sync", "s", "http://h", "--timeout", "0"], ["outbox", "s", "drop", "k"],
        ["sync", "s", "http://h", "--watch", "--dry-run"], ["outbox", "s", "retry"],
        ["conflicts", "s", "undo"], ["conflicts", "s", "resolve", "t", "i"],
        ["conflicts", "s", "resolve", "t", "i", "both"], ["explain", "s", "t"], ["adopt", "s"],
    ])
    func wrongUsageTouchesNothing(arguments: [String]) throws {
        let outcome = try hold.run(arguments)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.errors.hasPrefix("hold: error: "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func aServerEndsWellAtSIGTERMAndItsStoreIsWritableByNobodyElse() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        try sync(phone, server)
        server.child.terminate()
        #expect(try server.child.wait() == .exited(0))
        let store = hold.path("server")
        #expect(try hold.run("verify", store).ending == .exited(0))
        #expect(try hold.run("get", store, "notes", "a").ending == .exited(0))
        #expect(try hold.run("put", store, "notes", #"{"id":"b"}"#).ending == .exited(1))
        #expect(try hold.run("sync", store, server.url).errors.contains("a server serves"))
        #expect(try hold.run("status", store).output.contains("a server serves"))
        // What was listening there is told that it cannot start twice.
        let first = try ServedProcess(hold)
        let second = try hold.run("serve", store, "--open", "--listen", "127.0.0.1:0")
        #expect(second.ending == .exited(1) && second.errors.contains("process"))
        let taken = try hold.run(
            ["serve", hold.path("other"), "--open", "--listen", "127.0.0.1:\(first.port)"]
        )
        #expect(taken.ending == .exited(1) && taken.errors.contains("cannot listen"))
    }

    @Test func aStoreThatIsNotSyncedSaysSo() throws {
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        #expect(try hold.run("status", phone).output.contains("not synced"))
        #expect(try status(phone)["url"] == nil)
        let plan = try hold.run("sync", phone, "http://127.0.0.1:9", "--dry-run")
        #expect(plan.ending == .exited(0) && plan.errors.contains("1 record"))
        #expect(try status(phone)["url"] == nil)
        #expect(try hold.run("adopt", phone, laptop).ending == .exited(1))
        #expect(try hold.run("outbox", phone, "retry", "k").ending == .exited(1))
    }

    @Test func killedSyncsLoseNothing() throws {
        let server = try ServedProcess(hold, ["--open"])
        let lines = (0..<3_000).map { #"{"id":"r\#($0)","n":\#($0)}"# }.joined(separator: "\n")
        let file = try hold.file("records.jsonl", lines)
        #expect(try hold.run("import", phone, "notes", file).ending == .exited(0))
        // Each is killed when the server has answered a push of its own.
        var pushes = 0
        while pushes < 3 {
            let child = try hold.start("sync", phone, server.url)
            let before = pushes
            while pushes == before {
                let text = String(decoding: try server.errors.read(atMost: 4_096), as: UTF8.self)
                pushes += text.split(separator: "\n").count { $0.contains("/sync/push") }
            }
            child.kill()
            _ = try child.wait()
        }
        #expect(try sync(phone, server).ending == .exited(0))
        #expect(try sync(laptop, server).ending == .exited(0))
        let there = try hold.run("export", laptop, "notes").output
        #expect(try hold.run("export", phone, "notes").output == there)
        #expect(there.split(separator: "\n").count == 3_000)
    }

    @Test func aTableThatIsSyncedCannotBecomeLocal() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        try sync(phone, server)
        let outcome = try hold.run("put", phone, "notes", #"{"id":"b"}"#, "--local")
        #expect(outcome.ending == .exited(1) && outcome.errors.contains("synced already"))
        #expect(try get(phone, "b") == nil)
    }

    @Test func anAnonymousStoreIsAdopted() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        try sync(laptop, server)
        let outcome = try hold.run("adopt", phone, laptop, "--json")
        #expect(outcome.lines == [#"{"adopted":1}"#])
        try sync(laptop, server)
        let third = hold.path("third")
        try sync(third, server)
        #expect(try get(third, "a") != nil)
    }

    @Test func removalsOfMostRecordsWaitForTheirAcceptance() async throws {
        let server = try ServedProcess(hold)
        let lines = (0..<80).map { #"{"id":"r\#($0)"}"# }.joined(separator: "\n")
        _ = try hold.run("import", laptop, "notes", hold.file("records.jsonl", lines))
        try sync(laptop, server)
        try sync(phone, server)
        let store = try await Store.open(at: laptop)
        try store.followLink()
        try await store.write { transaction in
            for number in 0..<70 { _ = try transaction.delete(RecordID("r\(number)"), in: "notes") }
        }
        try await store.close()
        #expect(try sync(laptop, server).ending == .exited(0))
        let stopped = try sync(phone, server)
        #expect(stopped.ending == .exited(1))
        let words = stopped.errors.split(whereSeparator: \.isWhitespace)
        let flag = try #require(words.firstIndex(of: "--accept-deletes"))
        let set = String(words[flag + 1])
        #expect(try hold.run("export", phone, "notes").lines.count == 80)
        let wrong = try sync(phone, server, ["--accept-deletes", "other"])
        #expect(wrong.ending == .exited(1) && wrong.errors.contains(set))
        #expect(try hold.run("export", phone, "notes").lines.count == 80)
        #expect(try sync(phone, server, ["--accept-deletes", set]).ending == .exited(0))
        #expect(try hold.run("export", phone, "notes").lines.count == 10)
    }

    @Test func anotherDatasetWaitsForItsAcceptance() throws {
        let first = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        try sync(phone, first)
        try first.kill()
        TemporaryDirectory.remove(hold.path("server"))
        let second = try ServedProcess(hold)
        let stopped = try sync(phone, second)
        #expect(stopped.ending == .exited(1))
        let words = stopped.errors.split(whereSeparator: \.isWhitespace)
        let flag = try #require(words.firstIndex(of: "--accept-dataset"))
        let dataset = String(words[flag + 1])
        #expect(try sync(laptop, second).ending == .exited(0))
        #expect(try get(laptop, "a") == nil)
        #expect(try sync(phone, second, ["--accept-dataset", dataset]).ending == .exited(0))
        try sync(laptop, second)
        #expect(try get(laptop, "a") == ["id": "a"])
    }

    @Test func watchSyncsAndNotesThatItDid() throws {
        let server = try ServedProcess(hold)
        _ = try hold.run("put", phone, "notes", #"{"id":"a"}"#)
        let output = try Pipe()
        let child = try hold.start(
            ["sync", phone, server.url, "--token", "secret", "--watch", "--json"],
            output: output.writeEnd
        )
        output.writeEnd.close()
        defer {
            child.kill()
            _ = try? child.wait()
        }
        var text = ""
        while !text.contains(#""synced":true"#) {
            let bytes = try output.readEnd.read(atMost: 4_096)
            try #require(!bytes.isEmpty, "it ended: \(text)")
            text += String(decoding: bytes, as: UTF8.self)
        }
        child.terminate()
        #expect(try child.wait() == .exited(0))
        #expect(try status(phone)["lastSync"] != nil)
        try sync(laptop, server)
        #expect(try get(laptop, "a") == ["id": "a"])
    }

    @Test func aTokenComesFromTheEnvironmentAndFromAFile() throws {
        let tokens = try hold.file("tokens", "# people\nsecret=ada\nother==bob\n")
        let server = try ServedProcess(hold, ["--token-file", tokens])
        for token in ["secret", "other="] {
            let outcome = try hold.run(
                "sync",
                phone,
                server.url,
                environment: ["HOLD_TOKEN=\(token)"]
            )
            #expect(outcome.ending == .exited(0), "\(token)")
        }
        #expect(try hold.run("sync", phone, server.url).ending == .exited(1))
        for name in ["none", "server"] {
            let outcome = try hold.run("serve", hold.path("s"), "--token-file", hold.path(name))
            #expect(outcome.ending == .exited(1), "\(name)")
            #expect(outcome.errors.hasPrefix("hold: error: "))
        }
    }
}
