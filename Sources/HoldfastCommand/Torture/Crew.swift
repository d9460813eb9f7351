/// Independent pieces of work, numbered from 0, on all cores.
struct Crew: Sendable {
    private let width: Int

    init() { width = processorCount() }

    /// Does pieces until all are done or `take` has had enough.
    ///
    /// - Parameters:
    ///   - pieces: How many there are.
    ///   - body: Does one.
    ///   - take: Gets each result, in no order, on the caller's own task; whether to go on.
    /// - Throws: What a piece throws, `CancellationError`.
    func work<Result: Sendable>(
        pieces: Int,
        _ body: @escaping @Sendable (Int) async throws -> Result,
        take: (Result) throws -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var next = 0
            func begin() {
                guard next < pieces else { return }
                let piece = next
                next += 1
                group.addTask {
                    try Task.checkCancellation()
                    return try await body(piece)
                }
            }
            for _ in 0..<width { begin() }
            while let result = try await group.next() {
                guard try take(result) else {
                    group.cancelAll()
                    return
                }
                begin()
            }
        }
    }
}
