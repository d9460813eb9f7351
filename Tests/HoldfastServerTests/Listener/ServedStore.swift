import Holdfast
import HoldfastNetwork
import HoldfastServer
import HoldfastStorage
import HoldfastSync
import Synchronization
import Testing

/// A server that listens on a port of its own, until the test has no use for it any more.
final class ServedStore: Sendable {
    let server: SyncServer
    let listener: SyncListener

    /// Listens for the tokens `ann` and `ben`, whose principals have the same names.
    init(
        _ server: SyncServer? = nil,
        configure: (inout ListenerConfiguration) -> Void = { _ in }
    ) async throws {
        let made: SyncServer
        if let server {
            made = server
        } else {
            made = try await SyncServer(store: Store(storage: MemoryStorage()))
        }
        self.server = made
        let tokens = ["ann": Principal("ann"), "ben": Principal("ben")]
        var configuration = ListenerConfiguration(authentication: .tokens(tokens))
        configuration.port = 0
        configuration.setPatient()
        configure(&configuration)
        listener = try SyncListener(made, configuration)
    }

    /// A connection that sends what a test likes.
    func connect() async throws -> RawClient {
        RawClient(
            try await SocketStream.connect(
                to: "127.0.0.1",
                port: listener.port,
                until: .now + .patient
            )
        )
    }

    /// Sends a request over a connection of its own.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let exchange = SocketExchange(host: "127.0.0.1", port: listener.port)
        return try await exchange.response(to: request, timeout: .patient, bodyLimit: 1 << 24)
    }

    func get(_ target: String, token: String? = "ann") async throws -> HTTPResponse {
        var head = HTTPRequestHead(method: "GET", target: target)
        if let token { head.headers.add("Authorization", "Bearer \(token)") }
        return try await send(HTTPRequest(head))
    }

    func push(_ body: String, token: String? = "ann") async throws -> HTTPResponse {
        var head = HTTPRequestHead(
            method: "POST",
            target: "/sync/push",
            headers: ["Content-Type": "application/json"]
        )
        if let token { head.headers.add("Authorization", "Bearer \(token)") }
        return try await send(HTTPRequest(head, body: Array(body.utf8)))
    }

    /// A push of one note by a client.
    func pushText(_ number: Int, client: String = "phone") async throws -> String {
        let dataset = try await server.hello(principal: Principal("ann")).dataset.text
        return """
            {"client": "\(client)", "dataset": "\(dataset)", "ackedThrough": 0, "ops": [
              {"key": "k\(number)", "seq": \(number), "schema": 0, "table": "notes",
               "id": "n\(number)", "op": "put", "base": null,
               "fields": {"id": "n\(number)", "title": "Note \(number)"}}]}
            """
    }

    /// A transport to it.
    var transport: SocketTransport {
        get throws {
            SocketTransport(
                try ServerURL("http://127.0.0.1:\(listener.port)"),
                limits: .patient,
                now: { 0 }
            )
        }
    }
}

/// One end of a connection, as raw as it is.
final class RawClient: Sendable {
    let stream: SocketStream

    init(_ stream: SocketStream) { self.stream = stream }

    func send(_ text: String) async throws {
        try await stream.write(Array(text.utf8), patience: .patient)
    }

    /// All that comes until the server ends the connection.
    func rest() async throws -> String {
        var bytes: [UInt8] = []
        while true {
            let more = try await stream.read(until: .now + .patient)
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
    }

    /// The next so many responses, whose requests had this method.
    func responses(_ count: Int, method: String = "GET") async throws -> [HTTPResponse] {
        var responses: [HTTPResponse] = []
        var reader = HTTPResponseReader(limits: HTTPLimits(), method: method)
        while true {
            guard let event = try reader.next() else {
                let bytes = try await stream.read(until: .now + .patient)
                try #require(!bytes.isEmpty, "the server ended the connection")
                reader.append(bytes[...])
                continue
            }
            switch event {
            case .head(let head): responses.append(HTTPResponse(head))
            case .body(let bytes): responses[responses.count - 1].body += bytes
            case .end: if responses.count == count { return responses }
            }
        }
    }

    /// What comes until a text has come.
    func read(until mark: String) async throws -> String {
        var text = ""
        while !text.contains(mark) {
            let bytes = try await stream.read(until: .now + .patient)
            try #require(!bytes.isEmpty, "the server ended the connection behind: \(text)")
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}

extension HTTPResponse {
    var status: Int { head.status }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONObject { get throws { try JSONObject(parsing: text) } }
}

/// Tests wait for what happens, and for no clock: all of them run at once, and some for long.
extension Duration {
    static let patient = Duration.seconds(3_600)
}

extension TransportLimits {
    static var patient: TransportLimits {
        var limits = TransportLimits()
        limits.timeout = .patient
        limits.feedSilence = .patient
        return limits
    }
}

extension ListenerConfiguration {
    mutating func setPatient() {
        idleTimeout = .patient
        headTimeout = .patient
        bodyTimeout = .patient
        writeTimeout = .patient
        pingInterval = .patient
    }
}
