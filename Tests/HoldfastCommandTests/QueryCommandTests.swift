import Holdfast
import HoldfastCommand
import Testing

struct QueryCommandTests {
    private let hold: Hold

    init() throws {
        hold = try Hold()
        let lines = """
            {"id":1,"n":3,"s":"apple"}
            {"id":2,"n":1.5,"s":"banana"}
            {"id":3,"n":null,"s":"cherry"}
            {"id":4,"n":"3","s":"apricot"}
            {"id":5,"s":"date","tags":["x","y"]}
            """
        let outcome = try hold.run("import", hold.store, "t", "-", input: Array(lines.utf8))
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }

    private func ids(_ arguments: String...) throws -> [String] {
        let outcome = try hold.run(["query", hold.store, "t"] + arguments)
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        return try outcome.lines.map { line in
            guard case .integer(let id)? = try JSONObject(parsing: line)["id"] else { return "?" }
            return String(id)
        }
    }

    @Test func withoutConditionsEverythingComesInTheOrderOfIDs() throws {
        #expect(try ids() == ["1", "2", "3", "4", "5"])
    }

    @Test(arguments: [
        ("n = 3", ["1"]), ("n = 3.0", ["1"]), ("n > 1", ["1", "2", "4"]), ("n = null", ["3", "5"]),
        ("n != null", ["1", "2", "4"]), ("s begins ap", ["1", "4"]), ("s contains an", ["2"]),
        ("n in [3, \"3\"]", ["1", "4"]), ("tags contains y", ["5"]), ("s >= cherry", ["3", "5"]),
    ])
    func conditionsCompareAcrossKinds(_ condition: String, _ expected: [String]) throws {
        #expect(try ids("--where", condition) == expected)
    }

    @Test(arguments: ["n", "n,s", "s", "tags"])
    func anIndexNeverChangesAnAnswer(_ fields: String) throws {
        let conditions = [
            "n = 3", "n > 1", "n <= 3", "n = null", "s begins ap", "n in [3, \"3\"]", "s != date",
        ]
        let before = try conditions.map { try ids("--where", $0, "--order", "s:desc") }
        #expect(try hold.run("index", hold.store, "t", fields).ending == .exited(0))
        #expect(try conditions.map { try ids("--where", $0, "--order", "s:desc") } == before)
    }

    @Test func severalConditionsMustAllHold() throws {
        #expect(try ids("--where", "n > 1", "--where", "s begins ap") == ["1", "4"])
    }

    @Test(arguments: [
        (["--any", "n = 3", "--any", "s begins b"], ["1", "2"]),
        (["--not", "n > 1"], ["3", "5"]),
        (["--not", "n = 3", "--not", "s = date"], ["2", "3", "4"]),
        (["--where", "s begins ap", "--any", "n = 3", "--any", "n = null"], ["1"]),
        (["--any", "n = 99"], []),
        (["--search", "app", "--in", "s"], ["1"]), (["--search", "Y", "--in", "s,tags"], ["5"]),
        (["--search", "ap ", "--in", "s"], []),
        (["--search", "", "--in", "s", "--where", "n = 3"], ["1"]),
        (["--search", "ap", "--in", "s", "--not", "n = 3"], ["4"]),
    ])
    func conditionsAreJoined(_ arguments: [String], _ expected: [String]) throws {
        for index in [["n"], ["s"], ["--words", "s"], ["--words", "tags,s"]] {
            let outcome = try hold.run(["query", hold.store, "t"] + arguments)
            let ids = try outcome.lines.map { try JSONObject(parsing: $0)["id"] }
            let numbers = expected.compactMap(Int64.init).map { JSONValue.integer($0) }
            #expect(ids == numbers, "\(outcome.errors)")
            #expect(try hold.run(["index", hold.store, "t"] + index).ending == .exited(0))
        }
    }

    @Test(arguments: [
        (["--min", "n"], "1.5"), (["--max", "n"], "\"3\""), (["--sum", "n"], "4.5"),
        (["--average", "n"], "2.25"), (["--min", "n", "--where", "n > 2"], "3"),
        (["--max", "nothing"], "null"), (["--sum", "nothing"], "0"),
        (["--max", "id", "--limit", "2"], "2"),
    ])
    func figuresArePrintedAlone(_ arguments: [String], _ expected: String) throws {
        let query = ["query", hold.store, "t"] + arguments
        #expect(try hold.run(query).output == expected + "\n")
        let name = arguments[0].dropFirst(2)
        #expect(try hold.run(query + ["--json"]).output == "{\"\(name)\":\(expected)}\n")
    }

    @Test(arguments: [
        ["--search", "x"], ["--in", "s"], ["--search", "x", "--in", ""], ["--min", "n", "--count"],
        ["--min", "n", "--max", "n"], ["--any", "n"], ["--not", "n ~ 3"],
    ])
    func whatCannotBeMeantIsWrongUsage(_ arguments: [String]) throws {
        let outcome = try hold.run(["query", hold.store, "t"] + arguments)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.output.isEmpty)
    }

    @Test func explainNamesTheIndexOfWords() throws {
        _ = try hold.run("index", hold.store, "t", "--words", "s")
        let search = ["--search", "app", "--in", "s", "--explain"]
        let plan = try hold.run(["query", hold.store, "t"] + search).output
        #expect(plan.hasPrefix("gather ids from index (words: s), words app..."))
    }

    @Test func anIndexSaysWhatKindItIs() throws {
        let kinds = [([], "index"), (["--words"], "words"), (["--unique"], "unique")]
        for (options, kind) in kinds {
            let outcome = try hold.run(["index", hold.store, "t", "s", "--json"] + options)
            #expect(outcome.output.contains("\"kind\":\"\(kind)\""), "\(outcome.errors)")
        }
        let both = try hold.run("index", hold.store, "t", "s", "--words", "--unique")
        #expect(both.ending == .exited(64))
    }

    @Test func orderFollowsTheKindsAndTiesGoByID() throws {
        #expect(try ids("--order", "n") == ["3", "5", "2", "1", "4"])
        #expect(try ids("--order", "n:desc") == ["4", "1", "2", "3", "5"])
    }

    @Test(arguments: ["n:DESC", "n:up", "n:", ":desc", ":", "", "a:b"])
    func anOrderThatIsNoneIsWrongUsage(_ order: String) throws {
        let outcome = try hold.run("query", hold.store, "t", "--order", order)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("hold: error: --order "))
    }

    @Test func aFieldWithAColonIsOrderedByWhenTheDirectionFollows() throws {
        for line in [#"{"id":6,"a:b":2}"#, #"{"id":7,"a:b":1}"#] {
            #expect(try hold.run("put", hold.store, "t", line).ending == .exited(0))
        }
        #expect(try ids("--where", "a:b > 0", "--order", "a:b:asc") == ["7", "6"])
        #expect(try ids("--where", "a:b > 0", "--order", "a:b:desc") == ["6", "7"])
    }

    @Test func pagesFollowTheirCursorToTheEnd() throws {
        var seen: [String] = []
        var cursor: [String] = []
        for _ in 0..<3 {
            let arguments = ["query", hold.store, "t", "--order", "n", "--limit", "2"] + cursor
            let outcome = try hold.run(arguments)
            seen += outcome.lines
            guard let next = outcome.errors.split(separator: "\n").first else { break }
            #expect(next.hasPrefix("next: "))
            cursor = ["--after", String(next.dropFirst(6))]
        }
        #expect(seen == (try hold.run("query", hold.store, "t", "--order", "n").lines))
    }

    @Test(arguments: [["--order", "s"], ["--order", "n:desc"], ["--count"], []])
    func theGreatestLimitIsNone(_ arguments: [String]) throws {
        let query = ["query", hold.store, "t"] + arguments
        let limited = try hold.run(query + ["--limit", "9223372036854775807"])
        #expect(limited.ending == .exited(0), "\(limited.errors)")
        #expect(limited.output == (try hold.run(query).output))
        #expect(limited.errors.isEmpty)
    }

    @Test func aCursorOfAnotherQueryIsWrongUsage() throws {
        let next = try hold.run("query", hold.store, "t", "--limit", "1").errors.dropFirst(6)
            .dropLast()
        let outcome = try hold.run(
            "query",
            hold.store,
            "t",
            "--order",
            "s",
            "--after",
            String(next)
        )
        #expect(outcome.ending == .exited(64))
        #expect(try hold.run("query", hold.store, "t", "--after", "nonsense").ending == .exited(64))
    }

    @Test func countPrintsANumberAlone() throws {
        #expect(
            try hold.run("query", hold.store, "t", "--count", "--where", "n > 1").output == "3\n"
        )
        let json = try hold.run("query", hold.store, "t", "--count", "--json")
        #expect(json.output == #"{"count":5}"# + "\n")
        let limited = try hold.run("query", hold.store, "t", "--count", "--limit", "2")
        #expect(limited.output == "2\n")
    }

    @Test func explainSaysHowAndRunsNothing() throws {
        let without = try hold.run("query", hold.store, "t", "--where", "n = 3", "--explain").output
        _ = try hold.run("index", hold.store, "t", "n")
        let with = try hold.run("query", hold.store, "t", "--where", "n = 3", "--explain").output
        #expect(!without.isEmpty)
        #expect(with.contains("index"))
        #expect(with != without)
    }

    @Test func aTableThatIsNotThereIsAnError() throws {
        let outcome = try hold.run("query", hold.store, "nope")
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.hasPrefix("hold: error: the store has no table nope"))
    }

    @Test(arguments: ["n", "n ~ 1", "n in 1", "", "= 3"])
    func aConditionThatCannotBeReadIsWrongUsage(_ condition: String) throws {
        #expect(try hold.run("query", hold.store, "t", "--where", condition).ending == .exited(64))
    }
}
