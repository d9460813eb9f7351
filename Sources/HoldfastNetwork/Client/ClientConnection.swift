import HoldfastSync

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
        while true {
            if let event = try Self.next(&reader) { return event }
            let bytes: [UInt8]
            do throws(SocketError) { bytes = try await stream.read(until: deadline) } catch {
                throw ClientFailure(error, isUnanswered: isUnanswered)
            }
            if bytes.isEmpty {
                // What is cut off says nothing: the network broke, not the server's word.
                if let event = try? reader.end() { return event }
                throw ClientFailure(.unreachable, isUnanswered: isUnanswered)
            }
            isUnanswered = false
            reader.append(bytes[...])
        }
    }

    private static func next(
        _ reader: inout HTTPResponseReader
    ) throws(ClientFailure) -> HTTPResponseEvent? {
        do throws(HTTPFault) {
            return try reader.next()
        } catch {
            // Who does not speak HTTP is not the server; a body without end may be the server's.
            throw ClientFailure(error.status == 413 ? .invalid : .foreign, isUnanswered: false)
        }
    }

    /// Ends it at once.
    func abort() { stream.abort() }
}
