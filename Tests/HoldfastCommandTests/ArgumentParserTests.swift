import HoldfastCommand
import Testing

struct ArgumentParserTests {
    private let syntax = CommandSyntax(
        "query",
        "find records",
        positionals: [.required("STORE"), .optional("TABLE")],
        options: [
            .flag("count", "only count"),
            .value("limit", "N", "at most N"),
            .value("where", "'FIELD OP VALUE'", repeats: true, "a condition"),
        ],
        example: "hold query notes.holdfast notes"
    )

    private func parse(_ arguments: String...) throws -> ParsedArguments {
        try ParsedArguments(arguments, syntax)
    }

    @Test func optionsStandAnywhereAmongPositionals() throws {
        let parsed = try parse("--count", "s", "--limit", "5", "t")
        #expect(parsed.positional(0) == "s")
        #expect(parsed.optionalPositional(1) == "t")
        #expect(parsed.has("count"))
        #expect(try parsed.number("limit", in: 1...10) == 5)
    }

    @Test func aValueMayFollowAnEqualsSign() throws {
        #expect(try parse("s", "--where=a=b").all("where") == ["a=b"])
        #expect(try parse("s", "--where=").all("where") == [""])
    }

    @Test func aRepeatingOptionKeepsItsOrder() throws {
        #expect(try parse("s", "--where", "a", "--where", "b").all("where") == ["a", "b"])
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try parse("s", "--", "--count").optionalPositional(1) == "--count")
        #expect(try !parse("s", "--", "--count").has("count"))
    }

    @Test(arguments: ["-", "-5", "-1.5"])
    func aDashAloneAndNegativeNumbersArePositionals(_ argument: String) throws {
        #expect(try parse(argument).positional(0) == argument)
    }

    @Test func helpNeedsNoPositionals() throws {
        #expect(try parse("--help").has("help"))
        #expect(try parse("-h").has("help"))
    }

    @Test(arguments: [
        (["s", "--nope"], "unknown option --nope"),
        (["s", "-x"], "unknown option -x"),
        (["s", "--limit"], "--limit needs a value: N"),
        (["s", "--count=1"], "--count takes no value"),
        (["s", "--limit", "1", "--limit", "2"], "--limit is given twice"),
        ([], "STORE is missing"),
        (["s", "t", "u"], "'u' is one argument too many"),
    ])
    func wrongUsageSaysWhatIsWrong(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(message)) { try ParsedArguments(arguments, syntax) }
    }

    @Test(arguments: ["0", "11", "x", "", "1.0", "99999999999999999999"])
    func aNumberOutsideItsRangeIsRefused(_ text: String) throws {
        let parsed = try parse("s", "--limit", text)
        #expect(throws: UsageError.self) { try parsed.number("limit", in: 1...10) }
    }

    @Test func helpShowsUsageOptionsAndExample() {
        #expect(
            syntax.usage
                == "hold query STORE [TABLE] [--count] [--limit N] [--where 'FIELD OP VALUE']..."
        )
        #expect(syntax.help.contains("--limit N                 at most N"))
        #expect(syntax.help.contains("Example:\n  hold query notes.holdfast notes"))
    }
}
