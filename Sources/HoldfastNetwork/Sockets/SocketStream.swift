import HoldfastStorage
import Synchronization

/// A connection of TCP, used by one task at a time; another one may ``abort()`` it.
package final class SocketStream: Sendable {
    private let descriptor: Int32
    private let reactor: Reactor
    private let isOpen = Mutex(true)

    /// Takes a descriptor over.
    init(_ descriptor: Int32, _ reactor: Reactor) {
        self.descriptor = descriptor
        self.reactor = reactor
    }

    deinit { close() }

    /// Connects to the first address of a host that answers.
    package static func connect(
        to host: String,
        port: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(SocketError) -> SocketStream {
        let reactor = try Reactor.shared.get()
        var failure = SocketError.timedOut
        for address in try await resolve(host, port: port) {
            do throws(SocketError) {
                return try await connect(to: address, reactor, until: deadline)
            } catch {
                failure = error
                if error == .cancelled { throw error }
            }
        }
        throw failure
    }

    private static func connect(
        to address: SocketAddress,
        _ reactor: Reactor,
        until deadline: ContinuousClock.Instant
    ) async throws(SocketError) -> SocketStream {
        let descriptor = try SocketError.wrapping { () throws(SystemCallError) in
            try SocketCalls.open(address.family)
        }
        let stream = SocketStream(descriptor, reactor)
        let isConnected = try SocketError.wrapping { () throws(SystemCallError) in
            try SocketCalls.connect(descriptor, to: address)
        }
        if !isConnected {
            try await stream.wait(forWriting: true, until: deadline)
            if let failure = SocketCalls.failure(of: descriptor) { throw .system(failure) }
        }
        return stream
    }

    /// Asks for a host's addresses on a thread of its own, since the system's call blocks.
    private static func resolve(
        _ host: String,
        port: Int
    ) async throws(SocketError) -> [SocketAddress] {
        typealias Answer = Result<[SocketAddress], SocketError>
        let result: Answer = await withCheckedContinuation { continuation in
            do throws(SystemCallError) {
                try SocketCalls.startThread {
                    do throws(SystemCallError) {
                        let addresses = try SocketCalls.resolve(host, port: port, passive: false)
                        continuation.resume(returning: .success(addresses))
                    } catch {
                        continuation.resume(returning: .failure(.system(error)))
                    }
                }
            } catch {
                continuation.resume(returning: .failure(.system(error)))
            }
        }
        return try result.get()
    }

    // MARK: Bytes

    /// The bytes that came, at most so many; none at the end of the stream.
    package func read(
        atMost limit: Int = 16_384,
        until deadline: ContinuousClock.Instant?
    ) async throws(SocketError) -> [UInt8] {
        var hasYielded = false
        while true {
            let bytes = try SocketError.wrapping { () throws(SystemCallError) in
                try SocketCalls.receive(descriptor, atMost: limit)
            }
            if let bytes { return bytes }
            if hasYielded {
                try await wait(forWriting: false, until: deadline)
            } else {
                // Where others have work to do, the bytes are often there behind it: that costs less
                // than to be woken by the thread that waits.
                hasYielded = true
                await Task.yield()
            }
        }
    }

    /// Sends all of the bytes; each part has to be taken within `patience`.
    package func write(
        _ bytes: [UInt8],
        patience: Duration
    ) async throws(SocketError) {
        var start = 0
        while start < bytes.count {
            let taken = try SocketError.wrapping { () throws(SystemCallError) in
                try SocketCalls.send(descriptor, bytes, from: start)
            }
            if let taken {
                start += taken
            } else {
                try await wait(forWriting: true, until: .now + patience)
            }
        }
    }

    private func wait(
        forWriting: Bool,
        until deadline: ContinuousClock.Instant?
    ) async throws(SocketError) {
        let watched = SocketCalls.Watched(descriptor: descriptor, forWriting: forWriting)
        switch await reactor.wait(for: watched, until: deadline) {
        case .ready: return
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        }
    }

    // MARK: Ending

    /// Whether it can be used again after a pause: not closed by the other end, and without bytes
    /// that nobody asked for.
    package var isQuiet: Bool { SocketCalls.isQuiet(descriptor) }

    /// Says that nothing more will be sent.
    package func finishSending() {
        isOpen.withLock { if $0 { SocketCalls.finishSending(descriptor) } }
    }

    /// Ends the connection at once, from any task: who reads or writes it gets its end.
    package func abort() {
        isOpen.withLock { if $0 { SocketCalls.shutDown(descriptor) } }
    }

    /// Gives the descriptor back; nothing may use the stream meanwhile or later.
    package func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { SocketCalls.close(descriptor) }
    }
}

extension SocketError {
    /// A failed call as an error of sockets.
    static func wrapping<Result>(
        _ body: () throws(SystemCallError) -> Result
    ) throws(SocketError) -> Result {
        do throws(SystemCallError) { return try body() } catch { throw .system(error) }
    }
}
