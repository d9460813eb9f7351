/// A system call that failed: which, on what, and why.
public struct SystemCallError: Error, Hashable, Sendable {
    /// The call's name as the manual has it, such as `pwrite`.
    public let call: String
    /// The path that it was about.
    public let path: String
    /// Why it failed.
    public let errno: SystemErrorNumber

    /// Names the call that failed.
    public init(call: String, path: String, errno: SystemErrorNumber) {
        self.call = call
        self.path = path
        self.errno = errno
    }
}

extension SystemCallError {
    /// Whether the system refuses access, as it does while a device is locked.
    var isRefusal: Bool { errno == .permissionDenied || errno == .notPermitted }
}

extension SystemCallError: CustomStringConvertible {
    /// Such as `pwrite notes/0000000000000001.segment: No space left on device`.
    public var description: String { "\(call) \(path): \(errno)" }
}
