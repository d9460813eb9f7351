import HoldfastNetwork

/// The requests that come over a connection, one after another.
struct RequestSource {
    private let stream: SocketStream
    private let configuration: ListenerConfiguration
    private var reader: HTTPRequestReader

    init(_ stream: SocketStream, _ configuration: ListenerConfiguration, bodyLimit: Int) {
        self.stream = stream
        self.configuration = configuration
        var limits = HTTPLimits()
        limits.bodyBytes = bodyLimit
        reader = HTTPRequestReader(limits: limits)
    }

    /// Whether the connection can go on after the message that was read last.
    var keepsAlive: Bool { reader.keepsAlive }

    /// Whether the client waits to be told before it sends the body.
    var expectsContinue: Bool { reader.expectsContinue }

    /// The next request's head; `nil` when there is none any more.
    ///
    /// - Throws: ``HTTPFault``, also 408 for a head that came too slowly; ``SocketError``.
    mutating func head() async throws -> HTTPRequestHead? {
        let idleDeadline = ContinuousClock.now + configuration.idleTimeout
        var headDeadline: ContinuousClock.Instant?
        while true {
            if let event = try reader.next() {
                if case .head(let head) = event { return head }
                continue
            }
            if headDeadline == nil, !reader.isIdle {
                headDeadline = .now + configuration.headTimeout
            }
            let bytes: [UInt8]
            do throws(SocketError) {
                bytes = try await stream.read(until: headDeadline ?? idleDeadline)
            } catch {
                guard error == .timedOut else { throw error }
                if headDeadline == nil { return nil }
                throw HTTPFault(status: 408, detail: "The request's head came too slowly.")
            }
            if bytes.isEmpty { return nil }
            reader.append(bytes[...])
        }
    }

    /// The body of the request whose head was read last.
    ///
    /// - Throws: ``HTTPFault``, also 408 for a body that came too slowly; ``SocketError``, also where
    ///   the client went away in its middle.
    mutating func body() async throws -> [UInt8] {
        let deadline = ContinuousClock.now + configuration.bodyTimeout
        var body: [UInt8] = []
        while true {
            switch try reader.next() {
            case .body(let bytes): body += bytes
            case .end: return body
            case .head, nil:
                let bytes: [UInt8]
                do throws(SocketError) {
                    bytes = try await stream.read(atMost: 65_536, until: deadline)
                } catch {
                    guard error == .timedOut else { throw error }
                    throw HTTPFault(status: 408, detail: "The request's body came too slowly.")
                }
                if bytes.isEmpty { throw HTTPFault(status: 400, detail: "The body is cut off.") }
                reader.append(bytes[...])
            }
        }
    }
}
