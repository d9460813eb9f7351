import Foundation
import HoldfastNetwork
import HoldfastStorage
import HoldfastSync
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes what a session receives, and gives it to who waits.
///
/// On Linux a task is never cancelled: when that meets its completion, the library ends the process.
/// Who waits no longer goes on at once, and the task ends by its own timeout with nobody listening.
final class URLSessionReceiver: NSObject, URLSessionDataDelegate, Sendable {
    /// Who waits for what a task receives.
    private enum Waiter {
        case whole(
            limit: Int,
            HTTPResponse?,
            @Sendable (Result<HTTPResponse, TransportFailure>) -> Void
        )
        case head(
            AsyncStream<[UInt8]>.Continuation,
            @Sendable (Result<HTTPResponseHead, TransportFailure>) -> Void
        )
        case body(AsyncStream<[UInt8]>.Continuation)
    }

    private let waiters = Mutex<[Int: Waiter]>([:])

    // MARK: Waiting

    func expect(
        _ task: URLSessionDataTask,
        bodyLimit: Int,
        _ end: @escaping @Sendable (Result<HTTPResponse, TransportFailure>) -> Void
    ) {
        let number = task.taskIdentifier
        waiters.withLock { $0[number] = .whole(limit: bodyLimit, nil, end) }
    }

    func stream(
        _ task: URLSessionDataTask,
        into body: AsyncStream<[UInt8]>.Continuation,
        _ begin: @escaping @Sendable (Result<HTTPResponseHead, TransportFailure>) -> Void
    ) {
        let number = task.taskIdentifier
        waiters.withLock { $0[number] = .head(body, begin) }
    }

    /// Lets nobody wait for a task any more, after so long.
    ///
    /// Meanwhile the task, and the body that it has sent, are free to go.
    func giveUp(_ task: URLSessionDataTask, after limit: Duration, unlessBegun: Bool = false) {
        let number = task.taskIdentifier
        Task.detached { [weak self, weak task] in
            try? await Task.sleep(for: limit)
            guard let self else { return }
            if unlessBegun, case .body? = waiters.withLock({ $0[number] }) { return }
            giveUp(number, task)
        }
    }

    /// Lets nobody wait for a task any more.
    func giveUp(_ task: URLSessionDataTask) { giveUp(task.taskIdentifier, task) }

    private func giveUp(_ number: Int, _ task: URLSessionDataTask?) {
        guard end(number, with: TransportFailure(.timedOut)) else { return }
        #if canImport(Darwin)
        task?.cancel()
        #endif
    }

    /// Ends waiting for a task.
    ///
    /// - Returns: Whether anybody waited.
    @discardableResult
    private func end(_ number: Int, with failure: TransportFailure?) -> Bool {
        let waiter = waiters.withLock { $0.removeValue(forKey: number) }
        switch waiter {
        case .whole(_, let response, let end)?:
            if let response, failure == nil {
                end(.success(response))
            } else {
                end(.failure(failure ?? TransportFailure(.foreign)))
            }
        case .head(let body, let begin)?:
            begin(.failure(failure ?? TransportFailure(.foreign)))
            body.finish()
        case .body(let body)?: body.finish()
        case nil: return false
        }
        return true
    }

    // MARK: What the session tells

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            begin(dataTask, HTTPResponseHead(response))
        }
        completionHandler(.allow)
    }

    private func begin(_ task: URLSessionDataTask, _ head: HTTPResponseHead) {
        let number = task.taskIdentifier
        let begin = waiters.withLock { waiters in
            switch waiters[number] {
            case .whole(let limit, _, let end)?:
                waiters[number] = .whole(limit: limit, HTTPResponse(head), end)
                return nil as (@Sendable (Result<HTTPResponseHead, TransportFailure>) -> Void)?
            case .head(let body, let begin)?:
                waiters[number] = .body(body)
                return begin
            case .body?, nil: return nil
            }
        }
        begin?(.success(head))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive data: Data
    ) {
        let number = dataTask.taskIdentifier
        let (stream, isTooLarge) = waiters.withLock { waiters in
            switch waiters[number] {
            case .whole(let limit, var response?, let end)?:
                // Taken out first, so that the body grows in place.
                waiters[number] = nil
                guard response.body.count + data.count <= limit else {
                    waiters[number] = .whole(limit: limit, nil, end)
                    return (nil as AsyncStream<[UInt8]>.Continuation?, true)
                }
                response.body.append(contentsOf: data)
                waiters[number] = .whole(limit: limit, response, end)
                return (nil, false)
            case .body(let body)?: return (body, false)
            case .whole?, .head?, nil: return (nil, false)
            }
        }
        stream?.yield(Array(data))
        if isTooLarge { end(number, with: TransportFailure(.invalid)) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        end(task.taskIdentifier, with: error.map { TransportFailure(TransportFailure.Kind($0)) })
    }
}

extension TransportFailure.Kind {
    /// What an error of the system's says of the server.
    fileprivate init(_ error: any Error) {
        switch (error as? URLError)?.code {
        case .timedOut?, .cancelled?: self = .timedOut
        // Who cannot show the server's certificate is somebody else, such as a captive portal.
        case .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
            .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?:
            self = .foreign
        default: self = .unreachable
        }
    }
}

extension HTTPResponseHead {
    fileprivate init(_ response: HTTPURLResponse) {
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers.add(name, value) }
        }
        self.init(status: response.statusCode, headers: headers)
    }
}
