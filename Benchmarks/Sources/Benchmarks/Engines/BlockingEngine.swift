import Foundation
import Synchronization

/// An engine whose commits block the thread: concurrent committers are threads.
protocol BlockingEngine: Engine {
    /// Commits new notes.
    func insertBlocking(_ rows: [Row]) throws

    /// Commits notes that are there.
    func updateBlocking(_ rows: [Row]) throws
}

extension BlockingEngine {
    func insert(_ rows: [Row]) async throws { try insertBlocking(rows) }

    func update(_ rows: [Row]) async throws { try updateBlocking(rows) }

    func insert(from pool: RowPool<Row>, committers: Int) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let crew = Crew(of: committers) { done.resume(with: $0) }
            for _ in 0..<committers {
                let thread = Thread {
                    crew.finish(
                        Result { while let row = pool.take() { try insertBlocking([row]) } }
                    )
                }
                thread.start()
            }
        }
    }
}

/// Threads that work together, and what they came to.
private final class Crew: Sendable {
    private struct State {
        var working: Int
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let done: @Sendable (Result<Void, any Error>) -> Void

    init(of count: Int, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        state = Mutex(State(working: count))
        self.done = done
    }

    /// Takes note that one is through; the last one reports.
    func finish(_ result: Result<Void, any Error>) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            state.working -= 1
            if case .failure(let error) = result { state.failure = error }
            if state.working > 0 { return nil }
            return state.failure.map { .failure($0) } ?? .success(())
        }
        if let outcome { done(outcome) }
    }
}
