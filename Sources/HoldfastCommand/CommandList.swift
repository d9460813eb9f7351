/// All subcommands, in the order in which the help shows them.
enum CommandList {
    private static let groups: [(title: String, commands: [any Command.Type])] = [
        (
            "Records",
            [
                PutCommand.self, GetCommand.self, PatchCommand.self, DeleteCommand.self,
                QueryCommand.self, IndexCommand.self, WatchCommand.self,
            ]
        ),
        ("Files", [ImportCommand.self, ExportCommand.self]),
        (
            "Sync",
            [
                ServeCommand.self, SyncCommand.self, StatusCommand.self, OutboxCommand.self,
                ConflictsCommand.self, ExplainCommand.self, AdoptCommand.self,
            ]
        ),
        (
            "The store",
            [
                TablesCommand.self, StatsCommand.self, VerifyCommand.self, CompactCommand.self,
                BackupCommand.self,
                SalvageCommand.self, LogCommand.self,
            ]
        ),
        (
            "Trying it out",
            [
                DemoCommand.self, SimulateCommand.self, TortureKillCommand.self,
                TorturePowerCommand.self, TortureFullCommand.self, TortureSyncCommand.self,
                BenchCommand.self,
            ]
        ),
    ]

    /// Commands that others start; no page shows them.
    private static let hidden: [any Command.Type] = [TortureChildCommand.self]

    /// The subcommand whose words `arguments` begin with.
    static func command(for arguments: [String]) -> (any Command.Type)? {
        for command in groups.flatMap(\.commands) + hidden {
            let words = command.syntax.name.split(separator: " ").map(String.init)
            if arguments.starts(with: words) { return command }
        }
        return nil
    }

    /// The names on the page of help that go on behind a first word.
    static func names(behind word: String) -> [String] {
        groups.flatMap(\.commands).map { $0.syntax.name }.filter { $0.hasPrefix(word + " ") }
    }

    /// The page that `hold --help` prints.
    static var help: String {
        var text = """
            hold: a local-first store, from the command line.

            Usage: hold COMMAND ...; hold COMMAND --help shows arguments and an example.

            """
        for (title, commands) in groups {
            text += "\n\(title):\n"
            for command in commands { text += line(command.syntax) }
        }
        return text + "\nExit status: 0 done, 1 failed or damage found, 64 wrong usage, "
            + "130 interrupted.\n"
    }

    private static func line(_ syntax: CommandSyntax) -> String {
        let padding = String(repeating: " ", count: max(1, 14 - syntax.name.count))
        return "  \(syntax.name)\(padding)\(syntax.summary)\n"
    }
}
