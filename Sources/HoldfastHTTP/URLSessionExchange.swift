import Foundation
package import HoldfastNetwork
package import HoldfastSync

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests by a URL session, which lives as long as this does.
package final class URLSessionExchange: HTTPExchange {
    private let origin: String
    private let receiver = URLSessionReceiver()
    private let session: URLSession

    package init(_ url: ServerURL) {
        let host = url.host.contains(":") ? "[\(url.host)]" : url.host
        origin = "\(url.isSecure ? "https" : "http")://\(host):\(url.port)"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(Darwin)
        configuration.waitsForConnectivity = false
        #endif
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    // A session that is not told so keeps its delegate and its threads for ever.
    deinit { session.finishTasksAndInvalidate() }

    package func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse {
        let task = try task(request, silence: timeout)
        return try await withWaiter(of: task) { receiver, end in
            receiver.expect(task, bodyLimit: bodyLimit, timeout: timeout, end)
        }
    }

    package func stream(
        _ request: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>) {
        let task = try task(request, silence: silence)
        let (body, continuation) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingOldest(64)
        )
        let receiver = receiver
        continuation.onTermination = { _ in receiver.giveUp(task) }
        let head = try await withWaiter(of: task) { receiver, begin in
            receiver.stream(task, into: continuation, silence: silence, begin)
        }
        return (head, body)
    }

    /// Starts a task and waits for what the receiver makes of it, or until nobody waits any more.
    private func withWaiter<Value: Sendable>(
        of task: URLSessionDataTask,
        _ register: (
            URLSessionReceiver,
            @escaping @Sendable (Result<Value, TransportFailure>) -> Void
        ) -> Void
    ) async throws(TransportFailure) -> Value {
        let receiver = receiver
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register(receiver) { continuation.resume(returning: $0) }
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
        silence: Duration
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
