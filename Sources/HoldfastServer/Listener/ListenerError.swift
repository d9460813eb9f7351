/// Why a server cannot listen.
public struct ListenerError: Error, Hashable, Sendable {
    /// The address and port.
    public let address: String
    /// The system's reason.
    public let reason: String
}

extension ListenerError: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        "cannot listen at \(address): \(reason); choose another address or port"
    }
}
