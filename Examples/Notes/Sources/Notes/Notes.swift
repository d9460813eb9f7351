import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastSync

/// Notes in a terminal: each line that is typed is a note, `x 2` ends the second, `* 2` gives it a
/// star, and what others do appears by itself.
///
///     Notes STORE URL [TOKEN]
@main struct Notes {
    private let store: Store
    private let engine: SyncEngine

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let url = URL(string: arguments[2]) else {
            print("Notes STORE URL [TOKEN]")
            exit(64)
        }
        let token = arguments.count > 3 ? arguments[3] : nil
        let store = try await Store.open(at: arguments[1], schema: Note.schema)
        let engine = try SyncEngine(store: store, transport: HTTPTransport(baseURL: url)) {
            rejected in
            rejected == nil ? token : nil
        }
        try await Notes(store: store, engine: engine).run()
    }

    private func run() async throws {
        engine.start()
        let showing = [
            Task { try await showNotes() }, Task { await showStatus() },
            Task { await Connectivity().follow(with: engine) },
        ]
        for await line in Self.lines() {
            do { try await obey(line) } catch { print(error) }
        }
        for task in showing { task.cancel() }
        await engine.stop()
        try await store.close()
    }

    /// Does what a line says.
    private func obey(_ line: String) async throws {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = words.first else { return }
        if ["x", "*"].contains(first), let place = words.last.flatMap({ Int($0) }) {
            let notes = try store.read { try $0.fetch(Note.newestFirst) }
            guard notes.indices.contains(place - 1) else { return print("There is no such note.") }
            let id = notes[place - 1].id
            try await store.write { transaction in
                if first == "x" {
                    try transaction.patch(id, in: Note.table, with: ["isDone": true])
                } else {
                    try transaction.increment("stars", of: id, in: Note.table)
                }
            }
        } else {
            let now = Date().timeIntervalSince1970
            try await store.write { try $0.put(Note(title: line, createdAt: now)) }
        }
    }

    /// Shows the notes, now and after each change, whoever made it.
    private func showNotes() async throws {
        for try await notes in store.values(Note.newestFirst.limit(9)) {
            print()
            for (place, note) in notes.enumerated() {
                let stars = String(repeating: "*", count: max(0, min(5, note.stars)))
                print("\(place + 1) [\(note.isDone ? "x" : " ")] \(note.title) \(stars)")
            }
        }
    }

    /// Says how far this store and the server are apart, whenever that changes.
    private func showStatus() async {
        var shown = ""
        for await status in engine.statuses() where status.description != shown {
            shown = status.description
            print("  (\(shown))")
        }
    }

    /// The lines that are typed, read on a thread of their own.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
