import HoldfastNetwork
import HoldfastSync

/// A response that goes on: hints for a principal, as server-sent events.
struct FeedLine {
    private let stream: SocketStream
    private let responder: Responder
    private let listener: ListenerState

    init(_ stream: SocketStream, _ responder: Responder, _ listener: ListenerState) {
        self.stream = stream
        self.responder = responder
        self.listener = listener
    }

    /// Tells hints until the client goes, the listener stops or the line has been there long enough.
    ///
    /// It begins with `resync`, since the client may have missed what happened before.
    func run(_ principal: Principal, _ connection: UInt64) async {
        let hearing = listener.hear(principal, connection)
        defer { hearing.end() }
        responder.metrics.feed(1)
        defer { responder.metrics.feed(-1) }
        var head = responder.head(200, type: "text/event-stream")
        head.headers.add("Connection", "close")
        // nginx hands events on as they come only where it is told.
        head.headers.add("X-Accel-Buffering", "no")
        let end = ContinuousClock.now + listener.configuration.feedLifetime
        do throws(SocketError) {
            try await write(head.encoded() + ServerPoke.resync.event.encoded())
            for await hint in hearing.hints {
                try await write(hint.event.encoded())
                if .now >= end { break }
            }
        } catch {
            // The client went.
        }
    }

    private func write(_ bytes: [UInt8]) async throws(SocketError) {
        try await stream.write(bytes, patience: listener.configuration.writeTimeout)
    }
}
