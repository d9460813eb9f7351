import HoldfastSync

/// What a network makes of one request.
struct RequestFate: Sendable {
    /// What the sender is told instead of the server's answer.
    enum Failure: Hashable, Sendable {
        /// There is no network.
        case unreachable
        /// Nothing came back in time.
        case timedOut
        /// Something else answered.
        case foreign
        /// Something on the way refused it.
        case refused(status: Int, retryAfter: Duration?)
        /// The answer was not valid.
        case invalid
        /// The sender is told nothing at all: only its own patience ends the request.
        case silence
    }

    /// When it reaches the server, from its sending; more than once when it is doubled, and never
    /// when this is empty.
    var arrivals: [Duration]
    /// How long the answer to the first arrival takes back; of no meaning with a failure.
    var answerDelay: Duration
    /// What the sender is told, and how long after the sending; `nil` for the server's answer.
    var failure: (kind: Failure, after: Duration)?
    /// What the answer is distorted by, as a number; `nil` where it arrives as it was given.
    var distortion: Int?
}

extension RequestFate.Failure {
    /// What a transport throws; `nil` for silence.
    var transportFailure: TransportFailure? {
        switch self {
        case .unreachable: TransportFailure(.unreachable)
        case .timedOut: TransportFailure(.timedOut)
        case .foreign: TransportFailure(.foreign)
        case .refused(let status, let delay):
            TransportFailure(.refused(status: status), retryAfter: delay)
        case .invalid: TransportFailure(.invalid)
        case .silence: nil
        }
    }
}
