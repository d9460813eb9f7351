/// What a simulated disk was asked to do since it was made.
public struct DiskCounters: Hashable, Sendable {
    /// Calls of any kind.
    public var calls = 0
    /// Calls that could change the disk.
    public var mutations = 0
    /// Calls of `writeOnce`.
    public var writes = 0
    /// The bytes that those calls wrote.
    public var bytesWritten = 0
    /// Calls of `readOnce`.
    public var reads = 0
    /// The bytes that those calls returned.
    public var bytesRead = 0
    /// Syncs of files.
    public var syncs = 0
    /// Syncs of directories.
    public var directorySyncs = 0
    /// Calls that a fault changed.
    public var faults = 0

    /// All zero.
    public init() {}

    mutating func count(_ call: DiskCall) {
        calls += 1
        if call.isMutating { mutations += 1 }
        switch call.kind {
        case .write: writes += 1
        case .read: reads += 1
        case .sync: syncs += 1
        case .syncDirectory: directorySyncs += 1
        default: break
        }
    }
}
