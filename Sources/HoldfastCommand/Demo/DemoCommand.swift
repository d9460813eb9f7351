import Holdfast

/// `hold demo`.
struct DemoCommand: Command {
    static let syntax = CommandSyntax(
        "demo",
        "show that a kill -9 in the middle of writing loses nothing",
        options: [.json],
        discussion: """
            In a temporary directory: imports notes made on the spot, starts a second process \
            that imports more, ends it with kill -9 in the middle, opens the store again, and \
            looks for every record that the second process had acknowledged. The exit status is \
            1 when one is missing.
            """,
        example: "hold demo"
    )

    init(_ arguments: ParsedArguments) {}

    func run(_ console: Console) async throws -> ExitStatus {
        let directory = try TemporaryDirectory(prefix: "hold-demo")
        defer { directory.remove() }
        let demo = Demo(directory: directory, console)
        let outcome = try await demo.run()
        if console.isJSON { try console.append(outcome.object) }
        return outcome.lost == 0 ? .done : .failed
    }
}

extension DemoOutcome {
    fileprivate var object: JSONObject {
        [
            "imported": .integer(Int64(imported)),
            "acknowledged": .integer(Int64(acknowledged)),
            "found": .integer(Int64(found)),
            "lost": .integer(Int64(lost)),
        ]
    }
}
