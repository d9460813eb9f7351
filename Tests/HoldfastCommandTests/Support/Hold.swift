import Foundation
import HoldfastCommand

/// The built program `hold`, run as a user runs it, in a directory of its own.
final class Hold: Sendable {
    /// What a run gave.
    struct Outcome: Sendable {
        let ending: ChildProcess.Ending
        let output: String
        let errors: String

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        }
    }

    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(prefix: "hold-test") }

    deinit { directory.remove() }

    /// The path of a file or store in the directory.
    func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    /// The path of the store that most tests use.
    var store: String { path("store") }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, Array(text.utf8))
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = try Descriptor(writing: path(name))
        try file.write(bytes.span)
        return path(name)
    }

    /// Runs `hold` to its end.
    ///
    /// - Parameters:
    ///   - arguments: What it gets.
    ///   - input: Its standard input.
    ///   - environment: Variables set for it, such as `NO_COLOR=1`.
    /// - Returns: How it ended and what it printed.
    /// - Throws: What starting it throws.
    func run(
        _ arguments: String...,
        input: [UInt8] = [],
        environment: [String] = []
    ) throws -> Outcome {
        try run(arguments, input: input, environment: environment)
    }

    /// Runs `hold` to its end.
    func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String] = []
    ) throws -> Outcome {
        try run("/usr/bin/env", environment + [Self.executable] + arguments, input: input)
    }

    /// Runs `hold` to its end on a thread of its own, while tasks of the test answer it.
    func runAside(_ arguments: String...) async throws -> Outcome {
        try await runAside(arguments)
    }

    /// Runs `hold` to its end on a thread of its own, while tasks of the test answer it.
    func runAside(_ arguments: [String]) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread { [self] in
                continuation.resume(with: Result { try run(arguments) })
            }.start()
        }
    }

    /// Runs a file of shell commands, in which `$0` is `hold`.
    func runShell(_ script: String) throws -> Outcome {
        try run("/bin/sh", ["-c", ". \(script)", Self.executable], input: [])
    }

    /// Runs a snippet of the package in the directory.
    func runSnippet(_ name: String) throws -> Outcome {
        let snippet = Self.products.appendingPathComponent(name).path
        return try run(
            "/bin/sh",
            ["-c", "cd \"$1\" && exec \"$0\"", snippet, directory.path],
            input: []
        )
    }

    /// Compiles a program against the package's modules, and makes nothing of it.
    func compile(_ program: String) throws -> Outcome {
        let source = try file("program.swift", program)
        let modules = Self.products.appendingPathComponent("Modules").path
        return try run(
            "/usr/bin/env",
            [
                "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules,
                source,
            ],
            input: []
        )
    }

    private func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8]
    ) throws -> Outcome {
        let unique = UUID().uuidString
        let inputFile = try file("input-\(unique)", input)
        let outputFile = path("output-\(unique)")
        let errorsFile = path("errors-\(unique)")
        let child = try ChildProcess(
            program,
            arguments: arguments,
            input: Descriptor(reading: inputFile),
            output: Descriptor(writing: outputFile),
            errors: Descriptor(writing: errorsFile)
        )
        return Outcome(
            ending: try child.wait(),
            output: try text(outputFile),
            errors: try text(errorsFile)
        )
    }

    /// Starts `hold` with its streams as given and returns at once.
    func start(
        _ arguments: String...,
        environment: [String] = [],
        input: Descriptor? = nil,
        output: Descriptor? = nil,
        errors: Descriptor? = nil
    ) throws -> ChildProcess {
        try start(arguments, environment: environment, input: input, output: output, errors: errors)
    }

    /// Starts `hold` with its streams as given and returns at once.
    func start(
        _ arguments: [String],
        environment: [String] = [],
        input: Descriptor? = nil,
        output: Descriptor? = nil,
        errors: Descriptor? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env",
            arguments: environment + [Self.executable] + arguments,
            input: input,
            output: output,
            errors: errors ?? Descriptor(writing: path("errors"))
        )
    }

    /// A run of `hold` whose standard input and output are pipes.
    struct Piped: Sendable {
        let child: ChildProcess
        /// What is written here, it reads.
        let input: Descriptor
        /// What it writes, is read here.
        let output: Descriptor
    }

    /// Starts `hold` with a pipe at either end and returns at once.
    func startPiped(_ arguments: String...) throws -> Piped {
        let input = try HoldfastCommand.Pipe()
        let output = try HoldfastCommand.Pipe()
        let child = try start(arguments, input: input.readEnd, output: output.writeEnd)
        // The other ends are the child's alone, or their closing would not be seen.
        input.readEnd.close()
        output.writeEnd.close()
        return Piped(child: child, input: input.writeEnd, output: output.readEnd)
    }

    /// The names of everything in the directory.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
    }

    /// The text of a file in the directory.
    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private static let executable = products.appendingPathComponent("hold").path

    /// Where the build put the tests and `hold`; `swift run` would wait for the build that runs them.
    private static let products: URL = {
        #if canImport(Darwin)
        Bundle(for: Hold.self).bundleURL.deletingLastPathComponent()
        #else
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        #endif
    }()
}
