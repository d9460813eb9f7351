import Holdfast
import HoldfastStorage

/// `hold verify`.
struct VerifyCommand: Command {
    static let syntax = CommandSyntax(
        "verify",
        "check everything in a store, and change nothing",
        positionals: [.required("STORE")],
        options: [.json],
        discussion: """
            Reads every frame and every entry of the journal, every page of the checkpoint, then \
            every record, every entry of each index and every count, and compares the records with \
            what the journal alone gives. Each finding is a line `damage SEGMENT OFFSET KIND`, where \
            `-` stands for what is in no one file. A torn tail, as a crash leaves it, is reported \
            and is no damage. Exit status: 0 intact, 1 damage found or the check could not run.
            """,
        example: "hold verify notes.holdfast"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let progress = console.progress("verify", total: nil)
        let report = try await check(progress)
        progress.finish()
        for finding in report.findings { try finding.print(console) }
        if console.isJSON {
            try console.append(Self.object(report))
        } else {
            if report.hasTornTail { console.output.append(Self.tornTail + "\n") }
            try console.output.flush()
            console.message(Self.summary(report))
        }
        return report.isIntact ? .done : .failed
    }

    /// Checks the store as a whole, or the files alone of one that does not open.
    private func check(_ progress: ProgressBar) async throws -> VerificationReport {
        do {
            return try await StoreSession.run(at: path, .read, usesIndexes: true) { store in
                try await store.verify { progress.update($0) }
            }
        } catch let error as StoreError where error.code == .corruption {
            let report = try JournalVerifier.verify(at: path) { progress.update($0) }
            if report.isIntact { throw error }
            return report
        }
    }

    private static let tornTail =
        "torn tail: an unfinished write behind the last commit, as after a crash; it is no damage"

    private static func summary(_ report: VerificationReport) -> String {
        let journal =
            "\(report.segments.counted("segment")), \(report.frames.counted("frame")), "
            + "\(report.entries.counted("entry", "entries")), \(Int(clamping: report.bytes).asBytes), "
            + "last commit \(report.last)"
        guard report.isIntact, let records = report.records else {
            return "damaged: \(report.findings.count.counted("finding")); \(journal)"
        }
        return "intact: \(records.counted("record")); \(journal)"
    }

    private static func object(_ report: VerificationReport) -> JSONObject {
        [
            "intact": .bool(report.isIntact),
            "damage": .integer(Int64(report.findings.count)),
            "tornTail": .bool(report.hasTornTail),
            "records": report.records.map { .integer(Int64($0)) } ?? .null,
            "indexEntries": report.indexEntries.map { .integer(Int64($0)) } ?? .null,
            "recounted": .bool(report.isRecounted),
            "segments": .integer(Int64(report.segments)),
            "frames": .integer(Int64(report.frames)),
            "entries": .integer(Int64(report.entries)),
            "bytes": .integer(Int64(clamping: report.bytes)),
            "sequence": .integer(Int64(clamping: report.last.rawValue)),
        ]
    }
}
