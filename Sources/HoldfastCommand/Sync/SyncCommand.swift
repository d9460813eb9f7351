import Holdfast
import HoldfastNetwork
import HoldfastSync

/// `hold sync`.
struct SyncCommand: Command {
    static let syntax = CommandSyntax(
        "sync",
        "sync a store with a server, once or from now on",
        positionals: [.required("STORE"), .required("URL")],
        options: [
            .value("token", "T", "the token; else HOLD_TOKEN in the environment"),
            .flag("watch", "keep on, until Ctrl-C (status 130) or SIGTERM (0)"),
            .flag("dry-run", "show what would be sent, and ask nobody"),
            .value("timeout", "SECONDS", "how long everything may take to be confirmed (30)"),
            .value("accept-deletes", "SET", "confirm the removals that sync has stopped at"),
            .value("accept-dataset", "ID", "make the store one of the dataset that answers now"),
            .json,
        ],
        discussion: """
            The store is created when it is missing. The first sync links it: all its records are \
            queued for the server, but those of tables that were filled with --local, and from then \
            on each put, patch, delete and import queues with its commit. The exit status is 0 when \
            the server has confirmed everything and everything that it had is here.
            """,
        example: "hold sync notes.holdfast http://127.0.0.1:8080 --token secret"
    )

    private let path: String
    private let url: String
    private let token: String?
    private let watches: Bool
    private let isDryRun: Bool
    private let timeout: Duration
    private let acceptedDeletes: String?
    private let acceptedDataset: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.positional(0)
        url = arguments.positional(1)
        _ = try LinkedStore.server(url)
        token = arguments.value("token")
        watches = arguments.has("watch")
        isDryRun = arguments.has("dry-run")
        timeout = .seconds(try arguments.number("timeout", in: 1...86_400) ?? 30)
        acceptedDeletes = arguments.value("accept-deletes")
        acceptedDataset = arguments.value("accept-dataset")
        if watches, isDryRun { throw UsageError("--watch and --dry-run do not go together") }
    }

    func run(_ console: Console) async throws -> ExitStatus {
        if isDryRun { return try await showPlan(console) }
        return try await StoreSession.run(at: path, .create) { store in
            try await LinkedStore.link(store, to: url)
            let token = token ?? environmentVariable("HOLD_TOKEN")
            let engine = try SyncEngine(
                store: store,
                transport: try LinkedStore.transport(url),
                token: { rejected in rejected == nil ? token : nil }
            )
            engine.start()
            let status: ExitStatus
            do {
                status = try await sync(engine, console)
            } catch {
                await engine.stop()
                throw error
            }
            await engine.stop()
            return status
        }
    }

    private func sync(_ engine: SyncEngine, _ console: Console) async throws -> ExitStatus {
        let progress = console.progress("sync", total: nil)
        let showing = Task.detached {
            for await status in engine.statuses() {
                progress.update(UInt64(status.pending), "\(status.phase): \(status)")
            }
        }
        defer {
            showing.cancel()
            progress.finish()
        }
        do {
            try await accept(engine)
            if watches {
                showing.cancel()
                progress.finish()
                return try await watch(engine, console)
            }
            try await confirm(engine)
            try await LinkedStore.noteSync(engine.store)
        } catch let error where !(error is CancellationError) {
            progress.finish()
            throw explained(error, engine.status)
        }
        progress.finish()
        try report(engine.status, console)
        return .done
    }

    /// Waits until everything is confirmed, for so long and no longer.
    private func confirm(_ engine: SyncEngine) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.waitForSync() }
            group.addTask { [timeout] in
                try await Task.sleep(for: timeout)
                throw Failure("not everything was confirmed within \(timeout.seconds.rounded1) s")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func accept(_ engine: SyncEngine) async throws {
        guard acceptedDeletes != nil || acceptedDataset != nil else { return }
        let status = try await engine.sync()
        if case .massDelete(let removals) = status.pause, removals.set == acceptedDeletes {
            try await engine.accept(removals)
        }
        if case .dataset(let dataset) = status.pause, dataset.text == acceptedDataset {
            try await engine.accept(dataset)
        }
    }

    /// Goes on until a signal cancels the task, whether or not the server can be reached.
    private func watch(_ engine: SyncEngine, _ console: Console) async throws -> ExitStatus {
        var wasSynced = false
        for await status in engine.statuses() {
            if status.isSynced, !wasSynced {
                do {
                    try await LinkedStore.noteSync(engine.store)
                } catch is CancellationError {
                    break
                }
            }
            wasSynced = status.isSynced
            if console.isJSON {
                try report(status, console)
                try console.output.flush()
            } else {
                console.message("\(status)")
            }
        }
        return wasTerminated() ? .done : .interrupted
    }

    private func report(_ status: SyncStatus, _ console: Console) throws {
        guard console.isJSON else { return console.message("\(status)") }
        var object = status.object
        object["synced"] = .bool(status.isSynced)
        try console.append(object)
    }

    /// An error with what is left, and what to type.
    private func explained(_ error: any Error, _ status: SyncStatus) -> Failure {
        let text = "\(error)"
        let reason = text.hasSuffix(".") ? String(text.dropLast()) : text
        let state = text.contains("\(status)") ? "" : "; \(status)"
        return Failure(reason + state + (status.advice.map { "; see: \($0)" } ?? ""))
    }

    private func showPlan(_ console: Console) async throws -> ExitStatus {
        try await StoreSession.run(at: path, .read) { store in
            try LinkedStore.requireSyncable(store)
            let (link, tables) = try store.read { (try $0.storeLink(), try $0.tables()) }
            guard link.isLinked else {
                let count = tables.lazy.filter { !link.local.contains($0.name) }
                    .reduce(0) { $0 + $1.count }
                return console.message(
                    "the store is not linked yet: up to \(count.counted("record")) would be sent"
                )
            }
            let steps = try LinkedStore.offlineEngine(store).plan()
            var table = TextTable([.init("table"), .init("id"), .init("changes"), .init("step")])
            for step in steps {
                if console.isJSON {
                    try console.append(step.object)
                } else {
                    table.append([
                        step.record.table.text, step.record.id.text, "\(step.changes)", step.text,
                    ])
                }
            }
            if !console.isJSON, !steps.isEmpty { console.append(table) }
            console.message("\(steps.count.counted("record")) would be sent")
        }
        return .done
    }
}

extension PlannedStep {
    fileprivate var text: String {
        switch kind {
        case .send: "send"
        case .sendAgain: "ask again"
        case .waitForAttention(let problem): "refused: \(problem.detail)"
        case .waitForDecision(let fields): "waits for a decision: \(fields.joined(separator: ", "))"
        case .waitForRecords: "waits for other records"
        }
    }

    fileprivate var object: JSONObject {
        [
            "table": .string(record.table.text), "id": .string(record.id.text),
            "changes": .integer(Int64(changes)), "step": .string(text),
        ]
    }
}
