import HoldfastSync

/// The protocol of sync over plain sockets.
package typealias SocketTransport = ExchangeTransport<SocketExchange>

extension SocketTransport {
    /// A transport to a server; `now` is the time, in seconds since 1970.
    package init(
        _ url: ServerURL,
        limits: TransportLimits = TransportLimits(),
        now: @escaping @Sendable () -> Int64
    ) {
        self.init(
            SocketExchange(host: url.host, port: url.port),
            path: url.path,
            limits: limits,
            now: now
        )
    }
}
