import Holdfast
import HoldfastCommand
import Testing

/// What happens while another process has the store open for writing.
struct TwoProcessTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    /// Runs `body` while an import waits for more input and so holds the store.
    private func whileAnImportRuns(_ body: () throws -> Void) throws {
        let run = try hold.startPiped("import", hold.store, "t", "-", "--ack")
        defer {
            run.child.kill()
            _ = try? run.child.wait()
        }
        try run.input.write(Array("{\"id\":0}\n".utf8).span)
        #expect(try run.output.read(atMost: 2) == Array("0\n".utf8))
        try body()
        run.input.close()
        #expect(try run.child.wait() == .exited(0))
    }

    @Test func readingCommandsWorkAndWritingOnesSayWhoHoldsIt() throws {
        try whileAnImportRuns {
            // A reader shows what it knows to be durable, which lags by some milliseconds.
            var tries = 0
            while try hold.run("get", hold.store, "t", "0").ending != .exited(0), tries < 100 {
                tries += 1
            }
            #expect(try hold.run("get", hold.store, "t", "0").lines == [#"{"id":0}"#])
            #expect(try hold.run("tables", hold.store).ending == .exited(0))
            #expect(try hold.run("query", hold.store, "t", "--where", "id = 0").lines.count == 1)
            for command in [
                ["put", hold.store, "t", "{}"], ["delete", hold.store, "t", "0"],
                ["index", hold.store, "t", "a"], ["import", hold.store, "t", "-"],
            ] {
                let outcome = try hold.run(command)
                #expect(outcome.ending == .exited(1))
                #expect(outcome.errors.contains("hold: error: "))
                #expect(outcome.errors.contains("process "))
            }
        }
        #expect(try hold.run("export", hold.store, "t").lines.count == 1)
    }

    @Test func watchShowsWhatAnotherProcessCommits() throws {
        _ = try hold.run("put", hold.store, "t", #"{"id":"before"}"#)
        let output = try Pipe()
        let errors = try Pipe()
        let child = try hold.start(
            "watch",
            hold.store,
            "t",
            "--where",
            "n > 1",
            output: output.writeEnd,
            errors: errors.writeEnd
        )
        output.writeEnd.close()
        errors.writeEnd.close()
        defer {
            child.kill()
            _ = try? child.wait()
        }
        #expect(try !errors.readEnd.read(atMost: 200).isEmpty)
        for record in [#"{"id":"a","n":1}"#, #"{"id":"b","n":2}"#] {
            #expect(try hold.run("put", hold.store, "t", record).ending == .exited(0))
        }
        _ = try hold.run("put", hold.store, "u", #"{"id":"c","n":3}"#)
        _ = try hold.run("delete", hold.store, "t", "before")
        var text = ""
        while text.split(separator: "\n").count < 2 || !text.hasSuffix("\n") {
            let bytes = try output.readEnd.read(atMost: 4_096)
            try #require(!bytes.isEmpty)
            text += String(decoding: bytes, as: UTF8.self)
        }
        let lines = try text.split(separator: "\n").map { try JSONObject(parsing: String($0)) }
        #expect(lines.map { $0["id"] } == ["b", "before"])
        #expect(lines.map { $0["kind"] } == ["put", "delete"])
        #expect(lines.map { $0["record"] } == [["id": "b", "n": 2], .null])
        #expect(lines[0].map(\.name) == ["seq", "table", "id", "kind", "record"])
        child.interrupt()
        #expect(try child.wait() == .exited(130))
    }
}
