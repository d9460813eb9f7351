import Holdfast
import HoldfastStorage

/// `hold salvage`.
struct SalvageCommand: Command {
    static let syntax = CommandSyntax(
        "salvage",
        "save what is intact of a damaged store into a new one",
        positionals: [.required("STORE"), .required("NEW")],
        options: [.json],
        discussion: """
            Every record is saved whose newest version is intact, wherever it stands; of others an \
            older intact version is. A deletion that is lost brings its record back. Each finding \
            is a line `damage SEGMENT OFFSET KIND`, as of hold verify, and each run of commits of \
            which nothing could be read a line `lost FROM TO`. STORE is not changed, and NEW must \
            not exist. Exit status: 0 when NEW holds all that could be saved.
            """,
        example: "hold salvage damaged.holdfast saved.holdfast"
    )

    private let path: String
    private let target: String

    init(_ arguments: ParsedArguments) {
        path = arguments.positional(0)
        target = arguments.positional(1)
    }

    func run(_ console: Console) async throws -> ExitStatus {
        let progress = console.progress("salvage", total: nil)
        let report = try await JournalSalvage.salvage(from: path, to: target) {
            progress.update($0)
        }
        progress.finish()
        let records = try await StoreSession.run(at: target, .read) { store in
            try store.read { try $0.tables().reduce(0) { $0 + $1.count } }
        }
        for finding in report.findings { try finding.print(console) }
        if console.isJSON {
            try console.append(Self.object(report, records))
        } else {
            for range in report.lost {
                console.output.append("lost \(range.lowerBound) \(range.upperBound)\n")
            }
            try console.output.flush()
            console.message(Self.summary(report, records))
        }
        return .done
    }

    private static func object(_ report: JournalSalvage.Report, _ records: Int) -> JSONObject {
        [
            "records": .integer(Int64(records)),
            "changes": .integer(Int64(report.changes)),
            "damage": .integer(Int64(report.findings.count)),
            "lost": .array(report.lost.map { .object($0.object) }),
        ]
    }

    private static func summary(_ report: JournalSalvage.Report, _ records: Int) -> String {
        let lost = report.lost.reduce(0) { $0 + Int(clamping: $1.numbers) }
        return "salvaged: \(records.counted("record")) from \(report.changes.counted("change")); "
            + "\(report.findings.count.counted("finding")), \(lost.counted("commit")) lost"
    }
}

extension ClosedRange<SequenceNumber> {
    fileprivate var numbers: UInt64 { upperBound.rawValue - lowerBound.rawValue + 1 }

    fileprivate var object: JSONObject {
        [
            "from": .integer(Int64(clamping: lowerBound.rawValue)),
            "to": .integer(Int64(clamping: upperBound.rawValue)),
        ]
    }
}
