import HoldfastSync

/// Why a request over a socket got no response.
struct ClientFailure: Error {
    let kind: TransportFailure.Kind
    /// Whether not a byte of a response came.
    let isUnanswered: Bool

    init(_ kind: TransportFailure.Kind, isUnanswered: Bool) {
        self.kind = kind
        self.isUnanswered = isUnanswered
    }

    init(_ error: SocketError, isUnanswered: Bool) {
        switch error {
        // The engine has given a cancelled request up; for its mutations nothing is known.
        case .timedOut, .cancelled: kind = .timedOut
        case .system: kind = .unreachable
        }
        self.isUnanswered = isUnanswered
    }

    var transportFailure: TransportFailure { TransportFailure(kind) }
}
