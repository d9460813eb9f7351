import Foundation
import HoldfastNetwork
import HoldfastSync

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests by a URL session, which lives as long as this does.
final class URLSessionExchange: HTTPExchange {
    private let origin: String
    private let receiver = URLSessionReceiver()
    private let session: URLSession
    /// How long a response that goes on may do so: one that nobody takes any more ends with it.
    private static let longestStream: TimeInterval = 300

    init(_ url: ServerURL) {
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

    func response(
        to request: HTTPRequest,
        timeout: Duration,
        bodyLimit: Int
    ) async throws(TransportFailure) -> HTTPResponse {
        let seconds = TimeInterval(timeout.components.seconds + 1)
        let task = session.dataTask(with: try urlRequest(request, timeout: seconds))
        let receiver = receiver
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                receiver.expect(task, bodyLimit: bodyLimit) { continuation.resume(returning: $0) }
                receiver.giveUp(task, after: timeout)
                task.resume()
            }
        } onCancel: {
            receiver.giveUp(task)
        }
        return try result.get()
    }

    func stream(
        _ request: HTTPRequest,
        silence: Duration
    ) async throws(TransportFailure) -> (HTTPResponseHead, AsyncStream<[UInt8]>) {
        let task = session.dataTask(
            with: try urlRequest(request, timeout: Self.longestStream)
        )
        let receiver = receiver
        let (body, continuation) = AsyncStream.makeStream(
            of: [UInt8].self,
            bufferingPolicy: .bufferingNewest(64)
        )
        continuation.onTermination = { _ in receiver.giveUp(task) }
        let head = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                receiver.stream(task, into: continuation) { waiter.resume(returning: $0) }
                receiver.giveUp(task, after: silence, unlessBegun: true)
                task.resume()
            }
        } onCancel: {
            receiver.giveUp(task)
        }
        return (try head.get(), body)
    }

    private func urlRequest(
        _ request: HTTPRequest,
        timeout: TimeInterval
    ) throws(TransportFailure) -> URLRequest {
        guard let url = URL(string: origin + request.head.target) else {
            throw TransportFailure(.invalid)
        }
        var result = URLRequest(url: url)
        // Set so, and not when it is made: on Linux that alone counts.
        result.timeoutInterval = timeout
        result.httpMethod = request.head.method
        for field in request.head.headers.fields {
            result.setValue(field.value, forHTTPHeaderField: field.name)
        }
        if !request.body.isEmpty { result.httpBody = Data(request.body) }
        return result
    }
}
