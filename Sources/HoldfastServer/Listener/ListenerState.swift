import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import Synchronization

/// What a listener knows of its connections.
final class ListenerState: Sendable {
    /// A connection.
    private struct Connection {
        let stream: SocketStream
        /// Whether a request is being answered.
        var isBusy = false
        /// What ends the hints that it listens for.
        var endsHearing: (@Sendable () -> Void)?
    }

    private struct State {
        var next: UInt64 = 0
        var connections: [UInt64: Connection] = [:]
        var isStopping = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let server: SyncServer
    let configuration: ListenerConfiguration
    let responder: Responder
    /// The largest body of a request: the mutations of a push, and what is around them.
    let bodyLimit: Int
    private let state = Mutex(State())

    init(_ server: SyncServer, _ configuration: ListenerConfiguration) {
        self.server = server
        self.configuration = configuration
        responder = Responder(
            server: server,
            configuration: configuration,
            metrics: ListenerMetrics()
        )
        bodyLimit = 2 * server.configuration.maximumBytes + 65_536
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Connections

    var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Takes a connection in; `nil` where there are too many, or none are taken any more.
    func add(_ stream: SocketStream) -> UInt64? {
        let number: UInt64? = state.withLock { state in
            guard !state.isStopping, state.connections.count < configuration.maximumConnections
            else { return nil }
            state.next += 1
            state.connections[state.next] = Connection(stream: stream)
            return state.next
        }
        if number == nil { responder.metrics.refused() } else { responder.metrics.connected() }
        return number
    }

    func remove(_ number: UInt64) {
        let waiters = state.withLock { state in
            state.connections[number] = nil
            guard state.connections.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiters = [] }
            return state.waiters
        }
        responder.metrics.disconnected()
        for waiter in waiters { waiter.resume() }
    }

    /// Begins a request; not any more while the listener stops.
    func begin(_ number: UInt64) -> Bool {
        state.withLock { state in
            state.connections[number]?.isBusy = true
            return !state.isStopping
        }
    }

    /// Ends a request.
    ///
    /// - Returns: Whether the connection can wait for another one.
    func finish(_ number: UInt64) -> Bool {
        state.withLock { state in
            state.connections[number]?.isBusy = false
            return !state.isStopping
        }
    }

    /// Listens for hints on behalf of a connection, until the listener stops.
    func hear(_ principal: Principal, _ number: UInt64) -> Hearing {
        let (hints, end) = server.listeners.stream(for: principal)
        let isStopping = state.withLock { state in
            state.connections[number]?.endsHearing = end
            return state.isStopping
        }
        if isStopping { end() }
        return Hearing(hints: hints, end: end)
    }

    // MARK: Stopping

    /// Takes no more requests, and ends what waits for one, or for a hint.
    func beginStopping() {
        let (idle, hearings) = state.withLock { state in
            state.isStopping = true
            let connections = state.connections.values
            return (
                connections.filter { !$0.isBusy }.map(\.stream),
                connections.compactMap(\.endsHearing)
            )
        }
        for end in hearings { end() }
        for stream in idle { stream.abort() }
    }

    /// Ends every connection, whatever it is doing.
    func abortAll() {
        let streams = state.withLock { $0.connections.values.map(\.stream) }
        for stream in streams { stream.abort() }
    }

    /// Returns when there are no connections any more.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.connections.isEmpty { state.waiters.append(continuation) }
                return state.connections.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}
