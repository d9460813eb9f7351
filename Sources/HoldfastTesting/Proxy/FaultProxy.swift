import HoldfastNetwork
import HoldfastStorage
import Synchronization

/// Stands between clients and a server on this machine, and cuts connections where it is told.
///
/// What passed before a cut has arrived or not, as with a real network: a cut request may have had
/// its effect, when the answer was cut.
package final class FaultProxy: Sendable {
    /// Where a connection ends, by the bytes that passed.
    package struct Cut: Hashable, Sendable {
        /// After so many bytes from the client.
        package var afterSending: Int?
        /// After so many bytes from the server.
        package var afterReceiving: Int?

        package init(afterSending: Int? = nil, afterReceiving: Int? = nil) {
            self.afterSending = afterSending
            self.afterReceiving = afterReceiving
        }
    }

    private struct State {
        var count = 0
        var open: [Int: [SocketStream]] = [:]
        var isDown = false
    }

    private let listener: SocketListener
    private let target: Int
    private let cut: @Sendable (Int) -> Cut
    private let state = Mutex(State())
    private let accepting = Mutex<Task<Void, Never>?>(nil)

    /// The port to connect to.
    package var port: Int { listener.port }

    /// A proxy before a port of this machine; `cut` says where the connection with a number ends,
    /// from 1 on.
    package init(
        before target: Int,
        cut: @escaping @Sendable (Int) -> Cut = { _ in Cut() }
    ) throws {
        listener = try SocketListener(host: "127.0.0.1", port: 0)
        self.target = target
        self.cut = cut
        let task = Task.detached { [weak self, listener] in
            while let stream = try? await listener.accept() {
                guard let self else { return }
                let passing = self
                Task.detached { await passing.pass(stream) }
            }
        }
        accepting.withLock { $0 = task }
    }

    deinit { accepting.withLock { $0?.cancel() } }

    /// How many connections there have been.
    package var count: Int { state.withLock { $0.count } }

    /// Takes the network away, or gives it back: connections end, and new ones get nowhere.
    package func setDown(_ isDown: Bool) {
        let open = state.withLock { state in
            state.isDown = isDown
            return isDown ? state.open.values.flatMap(\.self) : []
        }
        for stream in open { stream.abort() }
    }

    /// Ends all connections.
    package func cutAll() {
        for stream in state.withLock({ $0.open.values.flatMap(\.self) }) { stream.abort() }
    }

    private func pass(_ client: SocketStream) async {
        let number: Int? = state.withLock { state in
            state.count += 1
            return state.isDown ? nil : state.count
        }
        guard let number,
            let server = try? await SocketStream.connect(
                to: "127.0.0.1",
                port: target,
                until: .now + .seconds(3_600)
            )
        else { return client.abort() }
        state.withLock { $0.open[number] = [client, server] }
        let cut = cut(number)
        async let up: Void = Self.pump(client, server, atMost: cut.afterSending)
        async let down: Void = Self.pump(server, client, atMost: cut.afterReceiving)
        _ = await (up, down)
        state.withLock { $0.open[number] = nil }
        client.abort()
        server.abort()
    }

    /// Moves bytes until their end, which is handed on, or until so many, which ends everything.
    private static func pump(
        _ source: SocketStream,
        _ sink: SocketStream,
        atMost limit: Int?
    ) async {
        var left = limit ?? .max
        while left > 0, let bytes = try? await source.read(until: nil) {
            if bytes.isEmpty { return sink.finishSending() }
            let part = bytes.count > left ? Array(bytes.prefix(left)) : bytes
            left -= part.count
            guard (try? await sink.write(part, patience: .seconds(3_600))) != nil else { break }
        }
        source.abort()
        sink.abort()
    }
}
