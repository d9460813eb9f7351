import Holdfast
import HoldfastStorage

/// Finds the subcommand that a command line names, runs it, and reports how it went.
struct CommandLineRunner {
    static let version = "0.1.0"

    /// Runs the command line `arguments` (without the program's name).
    static func run(_ arguments: [String]) async -> ExitStatus {
        guard let first = arguments.first else {
            return wrongUsage("a command is missing; see hold --help")
        }
        if first == "--help" || first == "-h" { return print(CommandList.help) }
        if first == "--version" { return print("hold \(version)\n") }
        guard let command = CommandList.command(for: arguments) else {
            return wrongUsage(unknownCommand(first))
        }
        return await run(command, arguments)
    }

    private static func run(_ command: any Command.Type, _ arguments: [String]) async -> ExitStatus
    {
        let syntax = command.syntax
        let words = syntax.name.split(separator: " ").count
        do {
            let parsed = try ParsedArguments(Array(arguments.dropFirst(words)), syntax)
            if parsed.has("help") { return print(syntax.help) }
            let console = Console(isJSON: parsed.has("json"))
            return try await run(command.init(parsed), console)
        } catch let error as UsageError {
            let message = "\(error)"
            let clause = message.hasSuffix(".") ? String(message.dropLast()) : message
            return wrongUsage("\(clause); see hold \(syntax.name) --help")
        } catch {
            return failed(error)
        }
    }

    private static func unknownCommand(_ word: String) -> String {
        let longer = CommandList.names(behind: word)
        if longer.isEmpty { return "there is no command '\(word)'; see hold --help" }
        let names = longer.map { "hold \($0)" }.joined(separator: ", ")
        return "'\(word)' stands before another word, as in \(names); see hold --help"
    }

    private static func run(_ command: any Command, _ console: Console) async throws -> ExitStatus {
        let status = try await command.run(console)
        try console.output.flush()
        return status
    }

    private static func print(_ text: String) -> ExitStatus {
        let output = OutputStream(.standardOutput)
        output.append(text)
        do {
            try output.flush()
            return .done
        } catch {
            return failed(error)
        }
    }

    private static func wrongUsage(_ message: String) -> ExitStatus {
        report(message)
        return .wrongUsage
    }

    private static func failed(_ error: any Error) -> ExitStatus {
        if error is CancellationError {
            Console.writeToStandardError("hold: interrupted; the store is consistent\n")
            return .interrupted
        }
        report("\(error)" + advice(on: error))
        return .failed
    }

    /// What a person can do where the library cannot know it.
    private static func advice(on error: any Error) -> String {
        let code =
            (error as? StoreError)?.code.description ?? (error as? StorageError)?.code.description
        return code == StoreError.Code.notFound.description
            ? " `hold put` or `hold import` makes one." : ""
    }

    /// One line whatever the error says: scripts read it by lines.
    private static func report(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        Console.writeToStandardError("hold: error: \(line.withoutControls)\n")
    }
}
