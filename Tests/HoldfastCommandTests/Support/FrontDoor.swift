import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import Synchronization

/// Stands before a server, and sometimes answers in its place.
final class FrontDoor: Sendable {
    /// What becomes of a request.
    enum Fate: Sendable {
        case passed
        /// The server gets it, and the connection ends without the answer.
        case answerLost
        /// Nobody answers, and the connection stays.
        case held
        case answered(HTTPResponse)
    }

    typealias Doorman = @Sendable (_ request: HTTPRequest, _ number: Int) -> Fate

    private let listener: SocketListener
    private let server: SocketExchange
    private let accepting = Mutex<Task<Void, Never>?>(nil)
    private let state = Mutex<(seen: [HTTPRequest], doorman: Doorman)>(([], { _, _ in .passed }))

    /// The base URL.
    var url: String { "http://127.0.0.1:\(listener.port)" }

    /// The requests that came, in their order.
    var requests: [HTTPRequest] { state.withLock { $0.seen } }

    /// A door before a port; the doorman is told the number of the request among those of its path,
    /// from 1 on.
    init(before port: Int, _ doorman: @escaping Doorman) throws {
        listener = try SocketListener(host: "127.0.0.1", port: 0)
        server = SocketExchange(host: "127.0.0.1", port: port)
        setDoorman(doorman)
        let task = Task.detached { [weak self, listener] in
            while let stream = try? await listener.accept() {
                let door = self
                Task.detached { await door?.serve(stream) }
            }
        }
        accepting.withLock { $0 = task }
    }

    deinit { accepting.withLock { $0?.cancel() } }

    func setDoorman(_ doorman: @escaping Doorman) { state.withLock { $0.doorman = doorman } }

    private func serve(_ stream: SocketStream) async {
        var reader = HTTPRequestReader(limits: HTTPLimits())
        var (head, body): (HTTPRequestHead?, [UInt8]) = (nil, [])
        while let bytes = try? await stream.read(until: nil), !bytes.isEmpty {
            reader.append(bytes[...])
            while let event = try? reader.next() {
                switch event {
                case .head(let next): (head, body) = (next, [])
                case .body(let part): body += part
                case .end:
                    guard let found = head,
                        let response = await answer(HTTPRequest(found, body: body), stream)
                    else { return stream.abort() }
                    try? await stream.write(Self.bytes(response), patience: .seconds(3_600))
                }
            }
        }
        stream.abort()
    }

    private func answer(
        _ request: HTTPRequest,
        _ stream: SocketStream
    ) async -> HTTPResponse? {
        let fate = state.withLock { state in
            state.seen.append(request)
            let path = request.path
            return state.doorman(request, state.seen.count { $0.path == path })
        }
        switch fate {
        case .answered(let response): return response
        case .held:
            _ = try? await stream.read(until: nil)
            return nil
        case .passed, .answerLost: break
        }
        var passed = request
        passed.head.headers.fields.removeAll {
            ["host", "content-length", "connection"].contains($0.name.lowercased())
        }
        let response = try? await server.response(
            to: passed,
            timeout: .seconds(3_600),
            bodyLimit: 1 << 28
        )
        if case .answerLost = fate { return nil }
        return response
    }

    private static func bytes(_ response: HTTPResponse) -> [UInt8] {
        var head = response.head
        head.headers.fields.removeAll {
            ["content-length", "connection", "transfer-encoding"].contains($0.name.lowercased())
        }
        head.headers.add("Content-Length", String(response.body.count))
        return head.encoded() + response.body
    }
}

extension HTTPRequest {
    /// Its target without the parameters.
    var path: String { String(head.target.prefix { $0 != "?" }) }
}
