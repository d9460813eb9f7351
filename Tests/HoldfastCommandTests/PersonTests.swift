import HoldfastCommand
import Testing

/// What a person at a terminal sees, and a script does not.
struct PersonTests {
    private let hold: Hold

    init() throws {
        hold = try Hold()
        let lines =
            "{\"id\":1,\"s\":\"apple\"}\n{\"id\":2,\"n\":3,\"s\":\"\(String(repeating: "x", count: 90))\"}\n"
        _ = try hold.run(["import", hold.store, "t", "-"], input: Array(lines.utf8))
    }

    private func shown(_ arguments: [String], environment: [String] = []) throws -> String {
        let terminal = try PseudoTerminal(columns: 40)
        let child = try hold.start(
            arguments,
            environment: ["-u", "NO_COLOR", "TERM=xterm"] + environment,
            output: terminal.program
        )
        #expect(try child.wait() == .exited(0))
        return try terminal.text()
    }

    @Test func aQueryIsATableThatFitsTheTerminal() throws {
        let text = try shown(["query", hold.store, "t"], environment: ["NO_COLOR=1"])
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "id  s                                  n")
        #expect(lines[1] == "1   apple")
        #expect(lines.allSatisfy { $0.count <= 40 })
    }

    @Test func coloursComeOnlyWhereTheyAreWanted() throws {
        #expect(try shown(["query", hold.store, "t"]).contains("\u{1B}["))
        #expect(
            try !shown(["query", hold.store, "t"], environment: ["NO_COLOR=1"]).contains("\u{1B}[")
        )
        #expect(try !hold.run("query", hold.store, "t").output.contains("\u{1B}["))
    }

    @Test func aRecordIsIndentedForAPersonAlone() throws {
        #expect(
            try shown(["get", hold.store, "t", "1"]) == "{\n  \"id\": 1,\n  \"s\": \"apple\"\n}\n"
        )
        #expect(
            try shown(["get", hold.store, "t", "1", "--json"]) == "{\"id\":1,\"s\":\"apple\"}\n"
        )
    }

    @Test func jsonOnATerminalIsStillALineEach() throws {
        let text = try shown(["query", hold.store, "t", "--json"])
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.hasPrefix("{\"id\":1,"))
    }

    @Test func progressIsShownOnATerminalAndTakenAway() throws {
        var lines = ""
        for number in 0..<2_000 { lines += "{\"id\":\(number)}\n" }
        let file = try hold.file("many.jsonl", lines)
        let terminal = try PseudoTerminal(columns: 60)
        let child = try hold.start(
            "import",
            hold.path("many"),
            "t",
            file,
            "--batch",
            "200",
            errors: terminal.program
        )
        // The screen is small: it has to be read while the program runs.
        let text = try terminal.text()
        #expect(try child.wait() == .exited(0))
        #expect(text.contains("import ["))
        #expect(text.contains("%"))
        #expect(text.hasSuffix("\u{1B}[Kimported 2000, replaced 0, skipped 0\n"))
        #expect(try !hold.run("import", hold.path("more"), "t", file).errors.contains("["))
    }
}
