import HoldfastNetwork
import HoldfastSync

/// A server of the sync protocol over HTTP/1.1 (PROTOCOL.md).
///
/// ```swift
/// let server = try await SyncServer(store: store)
/// let tokens = ["secret": Principal("ada")]
/// let configuration = ListenerConfiguration(authentication: .tokens(tokens))
/// let listener = try SyncListener(server, configuration)
/// print("http://127.0.0.1:\(listener.port)")
/// await listener.stop()
/// ```
///
/// It speaks plain HTTP and listens at 127.0.0.1 unless told otherwise: TLS is the affair of a proxy
/// before it. It answers whatever comes: what is no HTTP, is too large or comes too slowly is refused
/// and the connection closed.
public final class SyncListener: Sendable {
    private let state: ListenerState
    private let accepting: Task<Void, Never>
    private let pinging: Task<Void, Never>
    /// The port, also where the system chose it.
    public let port: Int

    /// Listens, from now on.
    ///
    /// - Parameters:
    ///   - server: The server that answers.
    ///   - configuration: Where it listens, whom it knows, and what it bears with.
    /// - Throws: ``ListenerError`` when the address is taken, or is none of this machine's.
    public init(_ server: SyncServer, _ configuration: ListenerConfiguration) throws {
        let listener: SocketListener
        do throws(SocketError) {
            listener = try SocketListener(host: configuration.host, port: configuration.port)
        } catch {
            throw ListenerError(
                address: "\(configuration.host):\(configuration.port)",
                reason: error.description
            )
        }
        let state = ListenerState(server, configuration)
        self.state = state
        port = listener.port
        accepting = Task.detached { await Self.accept(listener, state) }
        pinging = Task.detached {
            while (try? await Task.sleep(for: configuration.pingInterval)) != nil {
                server.listeners.tell { _ in .ping }
            }
        }
    }

    deinit {
        accepting.cancel()
        pinging.cancel()
        state.beginStopping()
        state.abortAll()
    }

    /// Stops: takes no connection any more, finishes the requests that are under way, and returns
    /// when all connections have ended.
    ///
    /// - Parameter grace: How long requests may take to finish; then they are cut off.
    public func stop(grace: Duration = .seconds(10)) async {
        accepting.cancel()
        pinging.cancel()
        await accepting.value
        state.beginStopping()
        let limit = Task.detached { [state] in
            if (try? await Task.sleep(for: grace)) != nil { state.abortAll() }
        }
        await state.waitUntilEmpty()
        limit.cancel()
    }

    /// How many connections there are.
    package var connectionCount: Int { state.connectionCount }

    /// The paths at which there is something.
    package static var paths: [String] { Route.allCases.map(\.rawValue) }

    private static func accept(_ listener: SocketListener, _ state: ListenerState) async {
        while !Task.isCancelled {
            do throws(SocketError) {
                let stream = try await listener.accept()
                serve(stream, state)
            } catch {
                if error == .cancelled { return }
                // Too many open files: those that are open have to end first.
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func serve(_ stream: SocketStream, _ state: ListenerState) {
        guard let number = state.add(stream) else {
            Task.detached { await ServedConnection.turnAway(stream, state) }
            return
        }
        Task.detached {
            await ServedConnection(stream: stream, number: number, listener: state).run()
            state.remove(number)
        }
    }
}
