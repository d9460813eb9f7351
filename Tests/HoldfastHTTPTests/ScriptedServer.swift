import HoldfastNetwork
import Synchronization

/// A server that answers every request with the same bytes, and then ends the connection or falls
/// silent.
final class ScriptedServer: Sendable {
    private let listener: SocketListener
    private let accepting = Mutex<Task<Void, Never>?>(nil)
    private let heads = Mutex<[HTTPRequestHead]>([])
    private let connectionCount = Mutex(0)

    var port: Int { listener.port }

    /// How many connections were opened.
    var connections: Int { connectionCount.withLock { $0 } }

    /// The requests that came.
    var requests: [HTTPRequestHead] { heads.withLock { $0 } }

    /// - Parameters:
    ///   - answer: The bytes.
    ///   - isSilent: Whether the connection stays open behind them.
    ///   - opening: What a question who is there is answered with instead.
    /// - Throws: `SocketError`.
    init(_ answer: String, isSilent: Bool = false, opening: String? = nil) throws {
        listener = try SocketListener(host: "127.0.0.1", port: 0)
        let task = Task.detached { [weak self, listener] in
            while let stream = try? await listener.accept() {
                let server = self
                Task.detached {
                    await server?.answer(stream, answer, isSilent, opening ?? answer)
                }
            }
        }
        accepting.withLock { $0 = task }
    }

    deinit { accepting.withLock { $0?.cancel() } }

    private func answer(
        _ stream: SocketStream,
        _ answer: String,
        _ isSilent: Bool,
        _ opening: String
    ) async {
        var target = ""
        connectionCount.withLock { $0 += 1 }
        var reader = HTTPRequestReader(limits: HTTPLimits())
        while let bytes = try? await stream.read(until: nil), !bytes.isEmpty {
            reader.append(bytes[...])
            while let event = try? reader.next() {
                if case .head(let head) = event {
                    target = head.target
                    heads.withLock { $0.append(head) }
                }
                guard case .end = event else { continue }
                let text = target == "/sync/hello" ? opening : answer
                try? await stream.write(Array(text.utf8), patience: .seconds(3_600))
                if !isSilent { stream.finishSending() }
            }
        }
    }
}
