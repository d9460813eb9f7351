import HoldfastStorage
import HoldfastSync
import Synchronization

/// Who listens for hints.
final class PokeRegistry: Sendable {
    private struct Listeners {
        var next: UInt64 = 0
        var waiting:
            [UInt64: (principal: Principal, stream: AsyncStream<ServerPoke>.Continuation)] =
                [:]
    }

    private let listeners = Mutex(Listeners())

    /// A stream of hints for a principal: one waits until it is taken, and says what all those said
    /// that came meanwhile.
    ///
    /// - Returns: The stream, and what ends it.
    func stream(for principal: Principal) -> (AsyncStream<ServerPoke>, end: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ServerPoke.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.waiting[listeners.next] = (principal, continuation)
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.waiting.removeValue(forKey: number) }
        }
        return (stream, { continuation.finish() })
    }

    /// How many listen.
    var count: Int { listeners.withLock { $0.waiting.count } }

    /// Tells everyone for whom there is a hint.
    func tell(_ hint: (Principal) -> ServerPoke?) {
        let all = listeners.withLock { Array($0.waiting.values) }
        for (principal, stream) in all {
            guard var poke = hint(principal) else { continue }
            // What another teller puts in between is dropped, and joined too.
            while case .dropped(let older) = stream.yield(poke) {
                let joined = poke.joined(with: older)
                if joined == poke { break }
                poke = joined
            }
        }
    }
}

extension ServerPoke {
    /// One hint that says what two say.
    fileprivate func joined(with other: ServerPoke) -> ServerPoke {
        switch (self, other) {
        case (.resync, _), (_, .resync): .resync
        case (.ping, let other): other
        case (_, .ping): self
        // None named means any.
        case (.poke(let left), .poke(let right)):
            .poke(left.isEmpty || right.isEmpty ? [] : left.union(right))
        }
    }
}
