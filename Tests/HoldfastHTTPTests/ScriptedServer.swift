import HoldfastNetwork
import Synchronization

/// A server that answers every request with the same bytes, and then ends the connection or falls
/// silent.
final class ScriptedServer: Sendable {
    private let listener: SocketListener
    private let accepting = Mutex<Task<Void, Never>?>(nil)
    private let heads = Mutex<[HTTPRequestHead]>([])

    var port: Int { listener.port }

    /// The requests that came.
    var requests: [HTTPRequestHead] { heads.withLock { $0 } }

    /// - Parameters:
    ///   - answer: The bytes.
    ///   - isSilent: Whether the connection stays open behind them.
    /// - Throws: `SocketError`.
    init(_ answer: String, isSilent: Bool = false) throws {
        listener = try SocketListener(host: "127.0.0.1", port: 0)
        let task = Task.detached { [weak self, listener] in
            while let stream = try? await listener.accept() {
                let server = self
                Task.detached { await server?.answer(stream, answer, isSilent) }
            }
        }
        accepting.withLock { $0 = task }
    }

    deinit { accepting.withLock { $0?.cancel() } }

    private func answer(_ stream: SocketStream, _ answer: String, _ isSilent: Bool) async {
        var reader = HTTPRequestReader(limits: HTTPLimits())
        while let bytes = try? await stream.read(until: nil), !bytes.isEmpty {
            reader.append(bytes[...])
            while let event = try? reader.next() {
                if case .head(let head) = event { heads.withLock { $0.append(head) } }
                guard case .end = event else { continue }
                try? await stream.write(Array(answer.utf8), patience: .seconds(3_600))
                if !isSilent { stream.finishSending() }
            }
        }
    }
}
