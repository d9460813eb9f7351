import HoldfastCommand
import Testing

struct ImportTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    private func importText(_ text: String, _ arguments: String...) throws -> Hold.Outcome {
        try hold.run(["import", hold.store, "t", "-"] + arguments, input: Array(text.utf8))
    }

    private var exported: [String] {
        get throws { try hold.run("export", hold.store, "t").lines }
    }

    @Test func theSummaryCountsOnStandardErrorAlone() throws {
        let first = try importText("{\"id\":1}\n{\"id\":2}\n{\"id\":1,\"x\":2}\n")
        #expect(first.output.isEmpty)
        #expect(first.errors == "imported 3, replaced 1, skipped 0\n")
        #expect(try importText("{\"id\":2}").errors == "imported 1, replaced 1, skipped 0\n")
        #expect(try exported == [#"{"id":1,"x":2}"#, #"{"id":2}"#])
    }

    @Test func acknowledgementsComeInInputOrderAndNothingElse() throws {
        let input = "{\"id\":\"b\"}\n\n{\"id\":7}\n{\"id\":\"a\"}\n{\"id\":\"b\"}\n"
        #expect(try importText(input, "--ack", "--batch", "2").output == "b\n7\na\nb\n")
        let json = try importText("{\"id\":7}\n", "--ack", "--json")
        #expect(json.output == "{\"id\":\"7\"}\n")
    }

    @Test(arguments: ["1", "2", "3", "1000"])
    func aBadLineEndsTheImportBehindAllBeforeIt(_ batch: String) throws {
        let input = "{\"id\":1}\n{\"id\":2}\n{\"id\":\n{\"id\":4}\n"
        let outcome = try importText(input, "--ack", "--batch", batch)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output == "1\n2\n")
        #expect(outcome.errors.contains("hold: error: line 3: "))
        #expect(outcome.errors.contains("imported 2, replaced 0, skipped 0\n"))
        #expect(try exported == [#"{"id":1}"#, #"{"id":2}"#])
    }

    static let badLines = [
        "[1]", "{", "nonsense", "{\"id\":true}", "{\"id\":1.5}", "{\"id\":\"\"}", "{\"id\":null}",
        "{\"a\":1,\"a\":1}", "{\"a\":01}", "{\"a\":1}x", "{\"a\":99999999999999999999}",
        "{\"a\":\"\\ud800\"}", "{\"a\":\"\t\"}", "{'a':1}", "{\"a\":1,}", "{\"a\":NaN}",
        "{\"id\":\"a\\u0000b\"}", String(repeating: "[", count: 100_000),
        "{\"a\":" + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}",
    ]

    @Test(arguments: badLines)
    func aBadLineIsNamedAndCanBeSkipped(_ line: String) throws {
        let input = "{\"id\":1}\n\(line)\n{\"id\":3}\n"
        let stopped = try importText(input)
        #expect(stopped.ending == .exited(1))
        #expect(stopped.errors.contains("hold: error: line 2: "))
        let skipped = try importText(input, "--skip-bad", "--ack")
        #expect(skipped.ending == .exited(0))
        #expect(skipped.output == "1\n3\n")
        #expect(skipped.errors.contains("skipped line 2: "))
        #expect(skipped.errors.hasSuffix("imported 2, replaced 1, skipped 1\n"))
    }

    @Test func invalidUTF8IsAnErrorOfItsLine() throws {
        let input = Array("{\"id\":1}\n{\"id\":\"".utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
        let outcome = try hold.run(["import", hold.store, "t", "-"], input: input)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("line 2: "))
    }

    @Test func theIDFieldIsNamedOnceAndKept() throws {
        let outcome = try importText("{\"code\":\"x\",\"n\":1}\n{\"n\":2}\n", "--id-field", "code")
        #expect(outcome.ending == .exited(0))
        #expect(try hold.run("get", hold.store, "t", "x").lines == [#"{"code":"x","n":1}"#])
        #expect(try exported.contains { $0.hasPrefix(#"{"n":2,"code":""#) })
        #expect(try importText("{\"code\":\"y\"}\n").ending == .exited(0))
        #expect(try hold.run("get", hold.store, "t", "y").ending == .exited(0))
        let other = try importText("{\"id\":\"z\"}\n", "--id-field", "id")
        #expect(other.ending == .exited(1))
        #expect(other.errors.contains("code"))
    }

    @Test func aJSONArrayIsReadElementByElement() throws {
        let file = try hold.file(
            "a.json",
            " [ {\"id\":1} ,\n {\"id\":2,\"x\":[1,{\"y\":\"]\"}]} ]\n"
        )
        #expect(try hold.run("import", hold.store, "t", file).ending == .exited(0))
        #expect(try exported == [#"{"id":1}"#, #"{"id":2,"x":[1,{"y":"]"}]}"#])
    }

    @Test func aBadElementEndsTheImportBehindAllBeforeIt() throws {
        let outcome = try importText("[{\"id\":1},2,{\"id\":3}]", "--format", "json", "--ack")
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output == "1\n")
        #expect(outcome.errors.contains("element 2 of the array"))
        let cut = try importText("[{\"id\":4},", "--format", "json", "--ack")
        #expect(cut.ending == .exited(1))
        #expect(cut.output == "4\n")
    }

    @Test func csvHasAHeaderTextsAndAbsentFields() throws {
        let file = try hold.file("a.CSV", "id,name,note\r\n1,\"a, \"\"b\"\"\",\r\n2,,\"x\ny\"\r\n")
        #expect(try hold.run("import", hold.store, "t", file).ending == .exited(0))
        #expect(try exported == [#"{"id":"1","name":"a, \"b\""}"#, #"{"id":"2","note":"x\ny"}"#])
    }

    @Test func aRaggedRowIsNamedByItsLine() throws {
        let input = "id,n\n1,\"a\nb\"\n2\n3,c\n"
        let stopped = try importText(input, "--format", "csv", "--ack")
        #expect(stopped.ending == .exited(1))
        #expect(stopped.output == "1\n")
        #expect(stopped.errors.contains("hold: error: line 4: the row has 1 fields"))
        let skipped = try importText(input, "--format", "csv", "--ack", "--skip-bad")
        #expect(skipped.output == "1\n3\n")
    }

    @Test(arguments: ["", "\n\n", "\u{FEFF}"])
    func anInputOfNothingImportsNothing(_ text: String) throws {
        let outcome = try importText(text)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.errors == "imported 0, replaced 0, skipped 0\n")
    }

    @Test func aFileThatIsNotThereMakesNoStore() throws {
        let outcome = try hold.run("import", hold.store, "t", hold.path("nope.jsonl"))
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("nope.jsonl"))
        #expect(try hold.names().allSatisfy { !$0.hasPrefix("store") })
    }

    @Test func aDirectoryIsNoFileOfRecordsAndMakesNoStore() throws {
        let outcome = try hold.run("import", hold.store, "t", hold.directory.path)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("is a directory"))
        #expect(try hold.names().allSatisfy { !$0.hasPrefix("store") })
    }

    @Test func anotherTablesRecordsStayApart() throws {
        _ = try importText("{\"id\":1}\n")
        _ = try hold.run(
            ["import", hold.store, "u", "-"],
            input: Array("{\"id\":1,\"u\":2}\n".utf8)
        )
        #expect(try exported == [#"{"id":1}"#])
        #expect(
            try hold.run("export", hold.store).lines == [
                #"{"table":"t","record":{"id":1}}"#, #"{"table":"u","record":{"id":1,"u":2}}"#,
            ]
        )
    }
}
