/// One write of a transaction; keys are single bytes, and no two values are ever equal.
public enum CrashWrite: Hashable, Sendable {
    /// Sets a key to a new value of this length, which is 8 bytes at least.
    case put(key: UInt8, length: Int)
    /// Removes a key.
    case delete(key: UInt8)
}

extension CrashWrite: CustomStringConvertible {
    /// Such as `put 1:8` for eight bytes under key 1.
    public var description: String {
        switch self {
        case .put(let key, let length): "put \(key):\(length)"
        case .delete(let key): "delete \(key)"
        }
    }
}
