import Foundation

/// One engine of a comparison: where its store is, and what the store has to hold.
final class Contender {
    let kind: EngineKind
    let path: String
    let ledger: Ledger

    init(_ kind: EngineKind, in directory: String, _ source: NoteSource) throws {
        self.kind = kind
        path = "\(directory)/\(kind.rawValue)"
        ledger = Ledger(source)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Opens the store and reads one note, since some engines open their files only then.
    ///
    /// - Returns: The engine, and how long both took.
    func open() async throws -> (engine: any Engine, time: Duration) {
        let key = ledger.source.key(ledger.count / 2)
        let start = ContinuousClock.now
        let engine = try await kind.open(at: path)
        guard try engine.value(of: key) != nil || ledger.count == 0 else {
            throw Failure("a note is missing after the store was opened")
        }
        return (engine, .now - start)
    }

    /// Starts a child with this store, and waits for its end.
    ///
    /// - Returns: What it printed.
    func child(_ work: String, _ options: Options) throws -> Data {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]
        )
        process.arguments = [
            "--child", work, "--engines", kind.rawValue, "--directory", path,
            "--seed", "\(options.seed)", "--present", "\(ledger.count)",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
