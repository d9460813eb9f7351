import HoldfastCommand
import Testing

struct UsageTests {
    static let commands = [
        "put", "get", "patch", "delete", "query", "index", "watch", "import", "export", "tables",
        "stats", "log", "verify", "backup", "salvage", "compact", "demo", "bench",
        "torture kill",
    ]

    private func run(_ line: String) throws -> Hold.Outcome {
        let words = line.split(separator: " ").map(String.init)
        return try Hold().run(words)
    }

    @Test(arguments: commands)
    func everyCommandHasHelpWithAnExample(_ command: String) throws {
        let outcome = try run("\(command) --help")
        #expect(outcome.ending == .exited(0))
        #expect(outcome.output.contains("Usage: hold \(command)"))
        #expect(outcome.output.contains("Example:\n  hold \(command)"))
        #expect(outcome.errors.isEmpty)
        #expect(try run("--help").output.contains("  \(command) "))
    }

    @Test(arguments: [
        "", "nonsense", "put", "put s", "put s t", "get s t", "get s t 1 2", "query s",
        "query s t --limit x", "query s t --limit -1", "query s t --where", "query s t --nope",
        "import s t", "import s t f --format xml", "import s t f --batch 0",
        "export s --format csv",
        "query s t --limit 9223372036854775808", "query s t --limit -9223372036854775808",
        "log s --from -1", "log s --from 18446744073709551616", "bench --records 0",
        "import s t f --batch 9223372036854775807", "bench --records 9223372036854775807",
        "torture kill --rounds 9223372036854775807", "torture kill --seed -1",
        "torture kill --seed 18446744073709551616", "torture-child s 1 plain 9223372036854775807",
        "torture-child s 1 plain -1", "torture-child s 1 plain 0,x", "torture-child s 1 small 0,,0",
        "torture-child s 1 other 0", "torture power --rounds x", "torture power --seed -1",
        "backup s", "backup s n x", "salvage s", "stats", "verify", "log", "compact",
        "torture", "torture kill --rounds 0", "--nope", "tables", "index s t", "index s t a,,b",
    ])
    func wrongUsageIsOneErrorLineAndExitStatus64(_ line: String) throws {
        let outcome = try run(line)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("hold: error: "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["torture", "torture other"])
    func theFirstWordOfACommandNamesTheWhole(_ line: String) throws {
        let outcome = try run(line)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.errors.contains("hold torture kill"))
    }

    @Test func helpAndVersionNeedNothingElse() throws {
        #expect(try run("--version").output == "hold 0.1.0\n")
        #expect(try run("-h").ending == .exited(0))
    }

    @Test func anArgumentThatIsNotUTF8IsRefused() throws {
        let hold = try Hold()
        let script = try hold.file("script", [UInt8]("exec \"$0\" get s t ".utf8) + [0xFF])
        let outcome = try hold.runShell(script)
        #expect(outcome.ending == .exited(64))
        #expect(outcome.errors == "hold: error: an argument is not valid UTF-8\n")
    }
}
