import Holdfast
import HoldfastSync

/// `hold status`.
struct StatusCommand: Command {
    static let syntax = CommandSyntax(
        "status",
        "print how far a store and its server are apart, as far as the store knows",
        positionals: [.required("STORE")],
        options: [.json],
        discussion: """
            It asks nobody, and works while another process syncs the store. Nothing is called \
            synced here: whether the server has news is known to a sync alone.
            """,
        example: "hold status notes.holdfast"
    )

    private let path: String

    init(_ arguments: ParsedArguments) { path = arguments.positional(0) }

    func run(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .read) { store in
            let (link, client) = try store.read { (try $0.storeLink(), try $0.clientState()) }
            let status = try LinkedStore.offlineEngine(store).status
            let notices = try store.read { try $0.count(of: LedgerEntry.table) }
            if console.isJSON {
                var object = status.object
                object["notices"] = .integer(Int64(notices))
                object["served"] = .bool(store.isServed)
                object["url"] = link.url.map { .string($0) }
                object["dataset"] = client?.dataset.map { .string($0.text) }
                object["lastSync"] = link.lastSync.map { .integer($0) }
                return try console.append(object)
            }
            console.output.append(try Self.text(store, link, status, notices))
        }
        return .done
    }

    private static func text(
        _ store: Store,
        _ link: StoreLink,
        _ status: SyncStatus,
        _ notices: Int
    ) throws -> String {
        if store.isServed { return "a server serves this store\n" }
        let isSyncedByApp = try LinkedStore.isSyncedByApp(store)
        guard link.isLinked || isSyncedByApp else {
            return "not synced with any server; hold sync STORE URL does it\n"
        }
        var lines = ["\(status)"]
        if let oldest = status.oldestPending {
            lines.append("the oldest change is \(age(oldest)) old")
        }
        if let url = link.url { lines.append("server: \(url.withoutControls)") }
        if isSyncedByApp { lines.append("an app syncs this store") }
        lines.append(
            link.lastSync.map { "everything was confirmed \(age($0)) ago" }
                ?? (link.isLinked ? "everything was never confirmed yet" : "")
        )
        if notices > 0 {
            let edits = notices.counted("decision has", "decisions have")
            lines.append("\(edits) discarded something; hold conflicts STORE lists them")
        }
        if let advice = status.advice { lines.append("see: \(advice)") }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// How long ago a moment was, by this device's clock.
    private static func age(_ time: Int64) -> String {
        let seconds = Int(clamping: max(0, LinkedStore.now() - time) / 1_000)
        switch seconds {
        case ..<120: return seconds.counted("second")
        case ..<7_200: return (seconds / 60).counted("minute")
        case ..<172_800: return (seconds / 3_600).counted("hour")
        default: return (seconds / 86_400).counted("day")
        }
    }
}
