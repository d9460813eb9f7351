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

    /// A stream of hints for a principal: the newest one waits until it is taken.
    func stream(for principal: Principal) -> AsyncStream<ServerPoke> {
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
        return stream
    }

    /// Tells everyone whom `isMeant` names.
    func tell(_ poke: ServerPoke, where isMeant: (Principal) -> Bool) {
        let all = listeners.withLock { Array($0.waiting.values) }
        for (principal, stream) in all where isMeant(principal) { stream.yield(poke) }
    }
}
