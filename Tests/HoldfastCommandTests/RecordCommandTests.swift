import Holdfast
import HoldfastCommand
import Testing

struct RecordCommandTests {
    private let hold: Hold

    init() throws { hold = try Hold() }

    @Test func putPrintsTheIDAndGetTheRecord() throws {
        let put = try hold.run(
            "put",
            hold.store,
            "notes",
            #"{"title":"Bread","n":1.0}"#,
            "--id",
            "b"
        )
        #expect(put.output == "b\n")
        #expect(put.errors.isEmpty)
        let get = try hold.run("get", hold.store, "notes", "b")
        #expect(get.output == #"{"title":"Bread","n":1.0,"id":"b"}"# + "\n")
        #expect(get.ending == .exited(0))
    }

    @Test func putKeepsTheRecordsOwnIDAsItCame() throws {
        #expect(try hold.run("put", hold.store, "t", #"{"id":7,"a":true}"#).output == "7\n")
        #expect(try hold.run("get", hold.store, "t", "7").output == #"{"id":7,"a":true}"# + "\n")
        #expect(try hold.run("put", hold.store, "t", #"{"id":"7"}"#).output == "7\n")
        #expect(try hold.run("export", hold.store, "t").lines == [#"{"id":"7"}"#])
    }

    @Test func aMintedIDStandsInTheRecord() throws {
        let id = try #require(try hold.run("put", hold.store, "t", "{}").lines.first)
        #expect(id.count == 36)
        #expect(try hold.run("get", hold.store, "t", id).lines == [#"{"id":"\#(id)"}"#])
    }

    @Test func putWithJSONPrintsAnObject() throws {
        #expect(
            try hold.run("put", hold.store, "t", "{}", "--id=a", "--json").lines == [#"{"id":"a"}"#]
        )
    }

    @Test(arguments: [
        [#"{"id":1}"#, "--id", "2"], ["[1]"], ["{"], [#"{"a":1,"a":2}"#], [#"{"id":true}"#],
        [#"{"id":""}"#], [#"{"a":99999999999999999999}"#], [#"{"a":1e999}"#], ["{}", "--id", ""],
        [#"{"a":"\ud800"}"#], [#"{"id":"a\nb"}"#],
    ])
    func aRecordThatCannotBeIsWrongUsageAndWritesNothing(_ arguments: [String]) throws {
        let outcome = try hold.run(["put", hold.store, "t"] + arguments)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("hold: error: "))
        #expect(try hold.run("export", hold.store).output.isEmpty)
    }

    @Test func theIDMayBe1024BytesLong() throws {
        let longest = String(repeating: "é", count: 512)
        #expect(
            try hold.run("put", hold.store, "t", "{}", "--id", longest).output == longest + "\n"
        )
        #expect(
            try hold.run("put", hold.store, "t", "{}", "--id", longest + "x").ending == .exited(64)
        )
        #expect(try hold.run("get", hold.store, "t", longest).ending == .exited(0))
    }

    @Test func patchReplacesAndRemovesTopLevelFields() throws {
        _ = try hold.run("put", hold.store, "t", #"{"id":"a","x":1,"y":{"z":2},"w":3}"#)
        let outcome = try hold.run(
            "patch",
            hold.store,
            "t",
            "a",
            #"{"y":null,"v":[1]}"#,
            "--unset",
            "x",
            "--unset",
            "w"
        )
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.isEmpty)
        #expect(
            try hold.run("get", hold.store, "t", "a").lines == [#"{"id":"a","y":null,"v":[1]}"#]
        )
    }

    @Test func patchCannotChangeTheID() throws {
        _ = try hold.run("put", hold.store, "t", #"{"id":"a"}"#)
        for id in [#""b""#, "null", "33.0", "true", #""""#] {
            let outcome = try hold.run("patch", hold.store, "t", "a", #"{"id":\#(id)}"#)
            #expect(outcome.ending == .exited(64), "\(id)")
        }
        #expect(
            try hold.run("patch", hold.store, "t", "a", #"{"id":"a","x":1}"#).ending == .exited(0)
        )
    }

    @Test func deleteRemovesTheRecord() throws {
        _ = try hold.run("put", hold.store, "t", "{}", "--id", "a")
        #expect(try hold.run("delete", hold.store, "t", "a").ending == .exited(0))
        #expect(try hold.run("get", hold.store, "t", "a").ending == .exited(1))
    }

    @Test(arguments: [["get"], ["delete"], ["patch"]])
    func aMissingRecordIsExitStatus1(_ command: [String]) throws {
        _ = try hold.run("put", hold.store, "t", "{}", "--id", "a")
        let rest = command == ["patch"] ? ["{}"] : []
        let outcome = try hold.run(command + [hold.store, "t", "nope"] + rest)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "hold: error: table t has no record with this id\n")
    }

    @Test(arguments: [
        ["get", "t", "a"], ["delete", "t", "a"], ["patch", "t", "a", "{}"], ["query", "t"],
        ["export"], ["tables"], ["index", "t", "a"], ["watch", "t"],
    ])
    func onlyPutAndImportMakeAStore(_ words: [String]) throws {
        let outcome = try hold.run([words[0], hold.store] + words.dropFirst())
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.hasPrefix("hold: error: "))
        #expect(try hold.names().allSatisfy { !$0.hasPrefix("store") })
    }

    @Test func anIndexOfATableThatIsNotThereIsNotDeclared() throws {
        _ = try hold.run("put", hold.store, "t", "{}", "--id", "a")
        let outcome = try hold.run("index", hold.store, "ghost", "x")
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.hasPrefix("hold: error: the store has no table ghost"))
        let tables = try hold.run("tables", hold.store, "--json").lines
        #expect(try tables.map { try JSONObject(parsing: $0)["table"] } == ["t"])
        let stats = try hold.run("stats", hold.store, "--json").output
        #expect(try JSONObject(parsing: stats)["indexes"] == 0)
    }

    @Test func tablesShowsCountsAndIndexes() throws {
        _ = try hold.run("put", hold.store, "b", #"{"id":1}"#)
        _ = try hold.run("put", hold.store, "a", #"{"id":1}"#)
        _ = try hold.run("put", hold.store, "a", #"{"id":2}"#)
        #expect(try hold.run("index", hold.store, "a", "x,y").ending == .exited(0))
        let lines = try hold.run("tables", hold.store, "--json").lines
        let tables = try lines.map { try JSONObject(parsing: $0) }
        #expect(tables.map { $0["table"] } == ["a", "b"])
        #expect(tables.map { $0["records"] } == [2, 1])
        #expect(
            tables.map { $0["indexes"] } == [[["kind": "ordered", "fields": ["x", "y"]]], []]
        )
        #expect(try hold.run("tables", hold.store).lines.count == 3)
    }
}
