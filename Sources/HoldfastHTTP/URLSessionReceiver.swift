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
/// Who waits no longer goes on at once, and what the task still receives is thrown away, until the
/// server ends it or falls silent.
final class URLSessionReceiver: NSObject, URLSessionDataDelegate, Sendable {
    /// What becomes of what a task receives.
    fileprivate enum Destination {
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

    /// Who waits for a task.
    fileprivate struct Waiter {
        var destination: Destination
        /// Gives the task up when its time is over.
        var watch: Task<Void, Never>?
        /// Since when the time that is allowed passes.
        var since = ContinuousClock.now
    }

    private let waiters = Mutex<[Int: Waiter]>([:])

    // MARK: Waiting

    /// Waits for a whole response, for so long and not longer.
    func expect(
        _ task: URLSessionDataTask,
        bodyLimit: Int,
        timeout: Duration,
        _ end: @escaping @Sendable (Result<HTTPResponse, TransportFailure>) -> Void
    ) {
        wait(for: task, .whole(limit: bodyLimit, nil, end), timeout)
    }

    /// Waits for a response that goes on, until it is silent for so long.
    func stream(
        _ task: URLSessionDataTask,
        into body: AsyncStream<[UInt8]>.Continuation,
        silence: Duration,
        _ begin: @escaping @Sendable (Result<HTTPResponseHead, TransportFailure>) -> Void
    ) {
        wait(for: task, .head(body, begin), silence)
    }

    private func wait(
        for task: URLSessionDataTask,
        _ destination: Destination,
        _ limit: Duration
    ) {
        let number = task.taskIdentifier
        waiters.withLock { $0[number] = Waiter(destination: destination) }
        // Meanwhile the task, and the body that it has sent, are free to go.
        let watch = Task.detached { [weak self, weak task] in
            while let rest = self?.rest(of: limit, number) {
                if rest <= .zero { return self?.giveUp(number, task) ?? () }
                guard (try? await Task.sleep(for: rest)) != nil else { return }
            }
        }
        let isOver = waiters.withLock { waiters in
            waiters[number]?.watch = watch
            return waiters[number] == nil
        }
        if isOver { watch.cancel() }
    }

    /// What is left of the time that a task is allowed; `nil` when nobody waits.
    private func rest(of limit: Duration, _ number: Int) -> Duration? {
        waiters.withLock { $0[number].map { limit - $0.since.duration(to: .now) } }
    }

    /// Lets nobody wait for a task any more.
    func giveUp(_ task: URLSessionDataTask) { giveUp(task.taskIdentifier, task) }

    private func giveUp(
        _ number: Int,
        _ task: URLSessionDataTask?,
        as failure: TransportFailure = TransportFailure(.timedOut)
    ) {
        guard end(number, with: failure) else { return }
        #if canImport(Darwin)
        task?.cancel()
        #endif
    }

    /// Ends waiting for a task.
    ///
    /// - Returns: Whether anybody waited.
    @discardableResult
    private func end(_ number: Int, with failure: TransportFailure?) -> Bool {
        guard let waiter = waiters.withLock({ $0.removeValue(forKey: number) }) else {
            return false
        }
        waiter.watch?.cancel()
        switch waiter.destination {
        case .whole(_, let response, let end):
            if let response, failure == nil {
                end(.success(response))
            } else {
                end(.failure(failure ?? TransportFailure(.foreign)))
            }
        case .head(let body, let begin):
            begin(.failure(failure ?? TransportFailure(.foreign)))
            body.finish()
        case .body(let body): body.finish()
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
            switch waiters[number]?.destination {
            case .whole(let limit, _, let end)?:
                waiters[number]?.destination = .whole(limit: limit, HTTPResponse(head), end)
                return nil as (@Sendable (Result<HTTPResponseHead, TransportFailure>) -> Void)?
            case .head(let body, let begin)?:
                waiters[number]?.destination = .body(body)
                waiters[number]?.since = .now
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
            // Taken out while it is looked at, so that the body grows in place.
            guard var waiter = waiters.removeValue(forKey: number) else {
                return (nil as AsyncStream<[UInt8]>.Continuation?, false)
            }
            let result = waiter.receive(data)
            waiters[number] = waiter
            return result
        }
        if isTooLarge { giveUp(number, dataTask, as: TransportFailure(.invalid)) }
        // A gap would make other events of those around it: a new line begins with all of them.
        if let stream, case .dropped = stream.yield(Array(data)) { giveUp(number, dataTask) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        end(task.taskIdentifier, with: error.map { TransportFailure(TransportFailure.Kind($0)) })
    }
}

extension URLSessionReceiver.Waiter {
    /// Takes a part of the body.
    ///
    /// - Returns: Whom it is handed on to, and whether the body is longer than it may be.
    fileprivate mutating func receive(
        _ data: Data
    ) -> (AsyncStream<[UInt8]>.Continuation?, isTooLarge: Bool) {
        switch destination {
        case .whole(let limit, var response?, let end):
            guard response.body.count + data.count <= limit else { return (nil, true) }
            destination = .whole(limit: limit, nil, end)
            response.body.append(contentsOf: data)
            destination = .whole(limit: limit, response, end)
            return (nil, false)
        case .body(let body):
            since = .now
            return (body, false)
        case .whole, .head: return (nil, false)
        }
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
