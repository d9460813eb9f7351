/// A connection to a server, on which requests go one after another.
final class ClientConnection: Sendable {
    private let stream: SocketStream
    /// Whether a request went over it before: the server may have ended it since.
    let isUsed: Bool

    init(_ stream: SocketStream, isUsed: Bool = false) {
        self.stream = stream
        self.isUsed = isUsed
    }

    /// The same connection, for the next request.
    var reused: ClientConnection { ClientConnection(stream, isUsed: true) }

    /// Whether it looks as if it could be used again.
    var isQuiet: Bool { stream.isQuiet }

    /// Sends a request; what the server says while it is still being sent is the answer.
    func send(_ request: HTTPRequest, patience: Duration) async throws(ClientFailure) {
        var bytes: [UInt8]
        do throws(HTTPFault) { bytes = try request.head.encoded() } catch {
            throw ClientFailure(.invalid, isUnanswered: false)
        }
        bytes += request.body
        do throws(SocketError) {
            try await stream.write(bytes, patience: patience)
        } catch .system {
            // A server that refuses a body answers before it has read all of it, and closes.
        } catch {
            throw ClientFailure(error, isUnanswered: true)
        }
    }

    /// Receives a response's next event.
    func event(
        _ reader: inout HTTPResponseReader,
        until deadline: ContinuousClock.Instant
    ) async throws(ClientFailure) -> HTTPResponseEvent {
        var isUnanswered = true
        do {
            while true {
                if let event = try reader.next() { return event }
                let bytes = try await stream.read(until: deadline)
                if bytes.isEmpty {
                    if let event = try reader.end() { return event }
                    throw ClientFailure(.unreachable, isUnanswered: isUnanswered)
                }
                isUnanswered = false
                reader.append(bytes[...])
            }
        } catch let error as SocketError {
            throw ClientFailure(error, isUnanswered: isUnanswered)
        } catch let error as ClientFailure {
            throw error
        } catch {
            throw ClientFailure(.invalid, isUnanswered: false)
        }
    }

    /// Ends it at once.
    func abort() { stream.abort() }
}
