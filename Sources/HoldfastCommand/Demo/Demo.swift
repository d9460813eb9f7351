import Holdfast

/// The steps of `hold demo`, each of which says what it does.
struct Demo {
    private static let table: TableName = "notes"
    private static let firstCount = 3_000
    private static let secondCount = 60_000
    private static let killAfter = 9_000

    private let directory: TemporaryDirectory
    private let console: Console

    init(directory: TemporaryDirectory, _ console: Console) {
        self.directory = directory
        self.console = console
    }

    private var path: String { "\(directory.path)/notes.holdfast" }

    /// Runs all steps.
    func run() async throws -> DemoOutcome {
        var outcome = DemoOutcome()
        try say("Holdfast keeps what it acknowledged. In \(directory.path):\n")
        outcome.imported = try await importFirst()
        let acknowledged = try killSecond()
        outcome.acknowledged = acknowledged.count
        try await StoreSession.run(at: path, .create) { store in
            try check(acknowledged, in: store, &outcome)
            try query(store)
        }
        let count = outcome.acknowledged.grouped
        if outcome.lost == 0 {
            try say("\n\(paint("All \(count) acknowledged records are there.", .good))")
        } else {
            try say("\n\(paint("\(outcome.lost) of \(count) records are lost.", .bad))")
        }
        return outcome
    }

    private func importFirst() async throws -> Int {
        let clock = ContinuousClock()
        let time = try await clock.measure {
            try await StoreSession.run(at: path, .create) { store in
                var notes = SampleNotes(prefix: "a", seed: 1)
                let batch = (0..<Self.firstCount).map { _ in notes.next() }
                try await store.write { transaction in
                    for note in batch { try transaction.put(note, in: Self.table) }
                }
            }
        }
        let count = Self.firstCount
        try step(
            "import",
            "\(count.grouped) notes in one transaction, synced, in \(time.milliseconds)"
        )
        return count
    }

    /// Imports more in another process and kills that.
    ///
    /// Returns the notes that it acknowledged, by their ids.
    private func killSecond() throws -> [String: JSONObject] {
        let file = "\(directory.path)/more.jsonl"
        let notes = try writeSecond(to: file)
        let arguments = ["import", path, Self.table.text, file, "--ack", "--batch", "100"]
        let (child, output) = try ChildProcess.own(arguments)
        defer {
            child.kill()
            _ = try? child.wait()
        }
        var lines = AcknowledgedLines()
        while lines.count < Self.killAfter {
            try Task.checkCancellation()
            let bytes = try output.read(atMost: 1 << 12)
            if bytes.isEmpty { throw Failure("the second process ended before it was killed") }
            lines.take(bytes)
        }
        child.kill()
        while case let bytes = try output.read(atMost: 1 << 16), !bytes.isEmpty {
            lines.take(bytes)
        }
        try child.wait()
        try step(
            "kill -9",
            "a second process, when it had acknowledged \(lines.count.grouped) more"
        )
        return notes.filter { lines.ids.contains($0.key) }
    }

    private func writeSecond(to file: String) throws -> [String: JSONObject] {
        var source = SampleNotes(prefix: "b", seed: 2)
        var notes: [String: JSONObject] = [:]
        let output = OutputStream(try Descriptor(writing: file))
        for _ in 0..<Self.secondCount {
            let note = source.next()
            if case .string(let id)? = note["id"] { notes[id] = note }
            output.append(try note.serialized())
            output.append("\n")
            try output.flushIfLarge()
        }
        try output.flush()
        return notes
    }

    private func check(
        _ acknowledged: [String: JSONObject],
        in store: Store,
        _ outcome: inout DemoOutcome
    ) throws {
        let (total, lost) = try store.read { transaction in
            let lost = try acknowledged.reduce(into: 0) { lost, note in
                let stored = try transaction.get(RecordID(note.key), in: Self.table)
                lost += stored == note.value ? 0 : 1
            }
            return (try transaction.count(of: Self.table), lost)
        }
        outcome.lost = lost
        outcome.found = total - Self.firstCount
        let more = outcome.found - acknowledged.count + lost
        try step("open", "\(total.grouped) records; each acknowledged one was compared")
        try step("", "\(more.grouped) more were durable, but not yet acknowledged")
    }

    private func query(_ store: Store) throws {
        let query = Query(Self.table).where("isPinned", .equals, true)
            .where("stars", .isAtLeast, 4)
        let count = try store.read { try $0.count(query) }
        try step("query", "isPinned = true and stars >= 4: \(count.grouped) records")
    }

    private func step(_ name: String, _ text: String) throws {
        let padding = String(repeating: " ", count: max(0, 9 - name.count))
        try say("  \(paint(name, .strong))\(padding)\(text)")
    }

    private func say(_ text: String) throws {
        if console.isJSON { return }
        console.output.append(text + "\n")
        try console.output.flush()
    }

    private func paint(_ text: String, _ colour: TerminalStyle.Colour) -> String {
        console.terminal?.paint(text, colour) ?? text
    }
}
