import Holdfast
import HoldfastStorage
import HoldfastSync

/// `hold explain`.
struct ExplainCommand: Command {
    static let syntax = CommandSyntax(
        "explain",
        "print what became of one record, and why",
        positionals: [.required("STORE"), .required("TABLE"), .required("ID")],
        options: [.json],
        discussion: """
            The commits that the journal still has, how far the record and the server are apart, \
            what waits to be sent, and what decisions have discarded.
            """,
        example: "hold explain notes.holdfast notes 7"
    )

    private let path: String
    private let record: RecordReference

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        record = RecordReference(try arguments.table(1), try arguments.id(2))
    }

    func run(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .read) { store in
            let history = try LinkedStore.offlineEngine(store).explain(record)
            if history.events.isEmpty, history.waiting.isEmpty, history.decisions.isEmpty {
                let isThere = try store.read { try $0.get(record.id, in: record.table) } != nil
                guard isThere else { throw Failure.noRecord(in: record.table) }
            }
            if console.isJSON { return try console.append(history.object) }
            console.output.append(history.text)
        }
        return .done
    }
}

extension RecordHistory {
    fileprivate var text: String {
        var lines = events.map { event in
            let state = event.record.map { "\(JSONValue.object($0))" } ?? "deleted"
            return "commit \(event.sequenceNumber): \(state.withoutControls)"
        }
        lines += waiting.map { "outbox: \($0)" }
        lines += decisions.map { entry in
            "decided by \(entry.rule): \(entry.field ?? "the record") is "
                + "\(entry.kept.map { "\($0)" } ?? "gone"), not "
                + "\(entry.discarded.map { "\($0)" } ?? "gone")"
        }
        lines.append("server's version: \(baseVersion.map { "\($0)" } ?? "none")")
        lines.append("status: \(status)")
        return lines.map(\.withoutControls).joined(separator: "\n") + "\n"
    }

    fileprivate var object: JSONObject {
        let commits = events.map { event -> JSONValue in
            [
                "seq": .integer(Int64(clamping: event.sequenceNumber.rawValue)),
                "record": event.record.map { .object($0) } ?? .null,
            ]
        }
        return [
            "commits": .array(commits), "outbox": .array(waiting.map { .string($0) }),
            "version": baseVersion.map { .integer($0.number) } ?? .null,
            "status": .string("\(status)"), "decisions": .integer(Int64(decisions.count)),
        ]
    }
}
