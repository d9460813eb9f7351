/// A clock at which no time passes: whoever sleeps on it sleeps until its task is cancelled.
struct StoppedClock: Clock {
    typealias Duration = Swift.Duration

    struct Instant: InstantProtocol {
        var offset = Swift.Duration.zero

        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    let now = Instant()
    let minimumResolution = Duration.nanoseconds(1)

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if deadline <= now { return }
        for await _ in AsyncStream<Never>(unfolding: { await Self.never() }) {}
        try Task.checkCancellation()
    }

    private static func never() async -> Never? {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        var iterator = stream.makeAsyncIterator()
        return await iterator.next(isolation: nil)
    }
}
