package import HoldfastStorage

/// Why bytes did not go over a socket.
package enum SocketError: Error, Hashable, Sendable {
    /// The deadline came first.
    case timedOut
    /// The task that waited was cancelled.
    case cancelled
    /// The system's reason.
    case system(SystemCallError)
}

extension SocketError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .timedOut: "no answer came in time"
        case .cancelled: "waiting was cancelled"
        case .system(let error): "\(error.call): \(error.errno)"
        }
    }
}
