/// A subcommand: what it takes, and what it does.
protocol Command: Sendable {
    /// Its name, arguments and help.
    static var syntax: CommandSyntax { get }

    /// Reads its arguments; touches nothing else.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does it.
    ///
    /// - Returns: How the process ends, where that is decided without an error.
    func run(_ console: Console) async throws -> ExitStatus
}
