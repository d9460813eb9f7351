import HoldfastSync

/// Hints that somebody listens for, until one of several ends it.
struct Hearing: Sendable {
    /// The hints.
    let hints: AsyncStream<ServerPoke>
    /// Ends them, from any task and as often as one likes.
    let end: @Sendable () -> Void

    /// Ends by itself after so long.
    func ending(after limit: Duration) -> Hearing {
        let timer = Task.detached { [end] in
            try? await Task.sleep(for: limit)
            end()
        }
        return Hearing(hints: hints) { [end] in
            timer.cancel()
            end()
        }
    }
}
