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
            Reads every frame and every entry of the journal, then every record. Each finding is \
            a line `damage SEGMENT OFFSET KIND`. A torn tail, as a crash leaves it, is reported \
            and is no damage. Exit status: 0 intact, 1 damage found or the check could not run.
            """,
        example: "hold verify notes.holdfast"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        let progress = console.progress("verify", total: nil)
        let report = try JournalVerifier.verify(at: path) { progress.update($0) }
        let records = report.isIntact ? try await countRecords(progress) : nil
        progress.finish()
        for finding in report.findings { try print(finding, console) }
        if console.isJSON {
            try console.append(Self.object(report, records))
        } else {
            if report.hasTornTail { console.output.append(Self.tornTail + "\n") }
            try console.output.flush()
            console.message(Self.summary(report, records))
        }
        return report.isIntact ? .done : .failed
    }

    /// Reads every record; one that cannot be read ends the check with its error.
    private func countRecords(_ progress: ProgressBar) async throws -> Int {
        try await StoreSession.run(at: path, .read) { store in
            try store.read { transaction in
                var count = 0
                for table in try transaction.tables() {
                    try transaction.forEach(Query(table.name)) { _, _ in
                        try Task.checkCancellation()
                        count += 1
                        progress.update(0, "\(count.grouped) records")
                        return true
                    }
                }
                return count
            }
        }
    }

    private func print(_ finding: Finding, _ console: Console) throws {
        if console.isJSON { return try console.append(finding.object) }
        let detail = console.terminal.map { "  " + $0.paint(finding.detail, .faint) } ?? ""
        console.output.append(finding.line + detail + "\n")
    }

    private static let tornTail =
        "torn tail: an unfinished write behind the last commit, as after a crash; it is no damage"

    private static func summary(_ report: VerificationReport, _ records: Int?) -> String {
        let journal =
            "\(report.segments.counted("segment")), \(report.frames.counted("frame")), "
            + "\(report.entries.counted("entry", "entries")), \(Int(clamping: report.bytes).asBytes), "
            + "last commit \(report.last)"
        guard let records else {
            return "damaged: \(report.findings.count.counted("finding")); \(journal)"
        }
        return "intact: \(records.counted("record")); \(journal)"
    }

    private static func object(_ report: VerificationReport, _ records: Int?) -> JSONObject {
        [
            "intact": .bool(report.isIntact),
            "damage": .integer(Int64(report.findings.count)),
            "tornTail": .bool(report.hasTornTail),
            "records": records.map { .integer(Int64($0)) } ?? .null,
            "segments": .integer(Int64(report.segments)),
            "frames": .integer(Int64(report.frames)),
            "entries": .integer(Int64(report.entries)),
            "bytes": .integer(Int64(clamping: report.bytes)),
            "sequence": .integer(Int64(clamping: report.last.rawValue)),
        ]
    }
}
