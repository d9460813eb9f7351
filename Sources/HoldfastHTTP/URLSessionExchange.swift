import Foundation
package import HoldfastNetwork
package import HoldfastSync

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests by a URL session, which lives as long as this does.
package final class URLSessionExchange: HTTPExchange {
    private let origin: String
    private let receiver: URLSessionReceiver
    private let session: URLSession
    /// The session of responses that go on, on Linux one of their own.
    ///
    /// There the library watches a connection that it had to open for being writable until the
    /// response is over, which is always so: a line that is silent for hours would cost a processor.
    /// Not so one that carried a request before; only where nobody else sends is it sure to be free.
    private let streams: (session: URLSession, receiver: URLSessionReceiver)

    package init(_ url: ServerURL) {
        let host = url.host.contains(":") ? "[\(url.host)]" : url.host
        origin = "\(url.isSecure ? "https" : "http")://\(host):\(url.port)"
        receiver = URLSessionReceiver()
        session = URLSession(Self.configuration, receiver)
        #if canImport(Darwin)
        streams = (session, receiver)
        #else
        let configuration = Self.configuration
        // Lines that nobody takes any more count too, as long as they are there.
        configuration.httpMaximumConnectionsPerHost = 1_000
        let receiver = URLSessionReceiver()
        streams = (URLSession(configuration, receiver), receiver)
        #endif
    }

    /// It keeps nothing: no cookies, no cache.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(Darwin)
        configuration.waitsForConnectivity = false
        #endif
        return configuration
    }

    // A session that is not told so keeps its delegate and its threads for ever.
    deinit {
        session.finishTasksAndInvalidate()
        streams.session.finishTasksAndInvalidate()
    }

    package func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse {
        try await response(to: request, timeout: timeout, bodyLimit: bodyLimit, session, receiver)
    }

    private func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int,
        _ session: URLSession,
        _ receiver: URLSessionReceiver
    ) async throws(TransportFailure) -> HTTPResponse {
        let task = try task(request, silence: timeout, session)
        return try await Self.wait(for: task, receiver) { end in
            receiver.expect(task, bodyLimit: bodyLimit, timeout: timeout, end)
        }
    }

    package func stream(
        _ request: HTTPRequest,
        opening: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>) {
        let (session, receiver) = streams
        #if !canImport(Darwin)
        _ = try await response(
            to: opening,
            timeout: silence,
            bodyLimit: 1 << 20,
            session,
            receiver
        )
        #endif
        let task = try task(request, silence: silence, session)
        let (body, continuation) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(64)
        )
        continuation.onTermination = { _ in receiver.giveUp(task) }
        let head = try await Self.wait(for: task, receiver) { begin in
            receiver.stream(task, into: continuation, silence: silence, begin)
        }
        return (head, body)
    }

    /// Starts a task and waits for what the receiver makes of it, or until nobody waits any more.
    private static func wait<Value: Sendable>(
        for task: URLSessionDataTask,
        _ receiver: URLSessionReceiver,
        _ register: (@escaping @Sendable (Result<Value, TransportFailure>) -> Void) -> Void
    ) async throws(TransportFailure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register { continuation.resume(returning: $0) }
                // Who was cancelled before anybody could be told is told now.
                if Task.isCancelled { receiver.giveUp(task) }
                task.resume()
            }
        } onCancel: {
            receiver.giveUp(task)
        }
        return try result.get()
    }

    /// A task that ends by itself where nothing comes for a while longer than anybody waits.
    private func task(
        _ request: HTTPRequest,
        silence: Duration,
        _ session: URLSession
    ) throws(TransportFailure) -> URLSessionDataTask {
        guard !Task.isCancelled else { throw TransportFailure(.timedOut) }
        guard let url = URL(string: origin + request.head.target) else {
            throw TransportFailure(.invalid)
        }
        var result = URLRequest(url: url)
        // Set so, and not when it is made: on Linux that alone counts.
        result.timeoutInterval = TimeInterval(silence.components.seconds + 1)
        result.httpMethod = request.head.method
        for field in request.head.headers.fields {
            result.setValue(field.value, forHTTPHeaderField: field.name)
        }
        if !request.body.isEmpty { result.httpBody = Data(request.body) }
        return session.dataTask(with: result)
    }
}

extension URLSession {
    fileprivate convenience init(
        _ configuration: URLSessionConfiguration,
        _ receiver: URLSessionReceiver
    ) {
        self.init(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }
}
