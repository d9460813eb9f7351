import HoldfastStorage

/// A port on which connections are taken.
package final class SocketListener: Sendable {
    private let descriptor: Int32
    private let reactor: Reactor
    /// The port, also where the system chose it.
    package let port: Int

    /// Listens at the first address of a host; the system chooses a port in place of 0.
    package init(host: String, port: Int, backlog: Int32 = 1_024) throws(SocketError) {
        reactor = try Reactor.shared.get()
        let addresses = try SocketError.wrapping { () throws(SystemCallError) in
            try SocketCalls.resolve(host, port: port, passive: true)
        }
        guard let address = addresses.first else {
            throw .system(
                SystemCallError(call: "getaddrinfo", path: host, errno: .notFound)
            )
        }
        (descriptor, self.port) = try SocketError.wrapping { () throws(SystemCallError) in
            let descriptor = try SocketCalls.open(address.family)
            do throws(SystemCallError) {
                try SocketCalls.listen(descriptor, at: address, backlog: backlog)
            } catch {
                SocketCalls.close(descriptor)
                throw error
            }
            return (descriptor, SocketCalls.port(of: descriptor) ?? port)
        }
    }

    deinit { SocketCalls.close(descriptor) }

    /// The next connection.
    ///
    /// - Throws: ``SocketError`` `.cancelled`, or the system's reason: with too many open files, a
    ///   connection waits on, and the call can be made again.
    package func accept() async throws(SocketError) -> SocketStream {
        while true {
            let accepted = try SocketError.wrapping { () throws(SystemCallError) in
                try SocketCalls.accept(descriptor)
            }
            if let accepted { return SocketStream(accepted, reactor) }
            let watched = SocketCalls.Watched(descriptor: descriptor, forWriting: false)
            if await reactor.wait(for: watched, until: nil) == .cancelled { throw .cancelled }
        }
    }
}
