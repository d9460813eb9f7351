import Foundation
import HoldfastTesting

/// A process of its own, for what one process cannot measure in itself.
struct Child {
    /// What a killed child has committed: some 16 MiB of notes.
    static let killedNotes = 61_000
    private static let batch = 1_000
    private static let reads = 100_000
    private static let queries = 1_000
    private static let updates = 100

    private let options: Options
    private let kind: EngineKind
    private let path: String

    init(_ options: Options) throws {
        guard let kind = options.engines.first, let path = options.directory else {
            throw Failure("a child needs an engine and its directory")
        }
        (self.options, self.kind, self.path) = (options, kind, path)
    }

    func run(_ work: String) async throws {
        let source = NoteSource(seed: options.seed)
        switch work {
        case "kill": try await fill(try await kind.open(at: path), source)
        case "memory": try await measure(source)
        default: throw Failure("a child cannot \(work)")
        }
    }

    /// Commits notes and ends in the middle of everything.
    private func fill<E: Engine>(_ engine: E, _ source: NoteSource) async throws {
        let end = options.present + Self.killedNotes
        for start in stride(from: options.present, to: end, by: Self.batch) {
            let rows = try (start..<min(start + Self.batch, end)).map {
                try engine.row(source.note($0))
            }
            try await engine.insert(rows)
        }
        print("acknowledged")
        fflush(nil)
        kill(getpid(), SIGKILL)
    }

    /// Prints how much memory the engine takes for reads all over the store and some updates.
    private func measure(_ source: NoteSource) async throws {
        guard let before = ProcessMemory.now() else { return }
        let engine = try await kind.open(at: path)
        try await work(engine, source)
        // Before it is closed, which gives much of it back.
        guard let after = ProcessMemory.now() else { return }
        FileHandle.standardOutput.write(try JSONEncoder().encode(after.growth(since: before)))
        try await engine.close()
    }

    private func work<E: Engine>(_ engine: E, _ source: NoteSource) async throws {
        var tally = Tally()
        try engine.scan(into: &tally)
        var random = SplitMix64(seed: options.seed)
        for _ in 0..<Self.reads {
            let key = try engine.key(source.key(random.next(below: options.present)))
            try engine.read([key], into: &tally)
        }
        for _ in 0..<Self.queries { try engine.newest(50, into: &tally) }
        for _ in 0..<Self.updates {
            // In their first form, as the store has them: nothing is to change for the next child.
            let rows = try (0..<100).map { _ in
                try engine.row(source.note(random.next(below: options.present)))
            }
            try await engine.update(rows)
        }
    }
}
