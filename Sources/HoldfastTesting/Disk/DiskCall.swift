import HoldfastStorage

/// One call that a program made to a simulated disk.
public struct DiskCall: Hashable, Sendable {
    /// The calls, one for each method of `FileSystem` and `File`; the raw value is the name that
    /// errors carry.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A file is opened.
        case open
        /// A directory is made.
        case createDirectory = "mkdir"
        /// The names in a directory are asked for.
        case list = "readdir"
        /// What stands at a path is asked for.
        case kind = "stat"
        /// A file gets another name.
        case rename
        /// A file gets one more name.
        case link
        /// A name is removed.
        case unlink
        /// An empty directory is removed.
        case removeDirectory = "rmdir"
        /// A directory's names are made durable.
        case syncDirectory = "fsync"
        /// An open file's size is asked for.
        case status = "fstat"
        /// Bytes are read.
        case read = "pread"
        /// Bytes are written.
        case write = "pwrite"
        /// A file is cut or extended.
        case setSize = "ftruncate"
        /// Space is reserved.
        case allocate = "posix_fallocate"
        /// A file's writes are made durable.
        case sync = "fdatasync"
        /// A file's writes are ordered before later ones.
        case barrier
        /// A lock is asked for.
        case lock = "flock"
        /// A lock is given up.
        case unlock
        /// A file is closed.
        case close
    }

    /// Which call it was.
    public let kind: Kind
    /// The path that it was about; for a file, the one that it was opened with.
    public let path: String
    /// Where it read or wrote, or the size that it asked for; 0 for other calls.
    public let offset: UInt64
    /// How many bytes it read or wrote at most; 0 for other calls.
    public let count: Int
    /// Whether it could change the disk: for an `open`, whether it had to create the file.
    public let isMutating: Bool

    init(
        _ kind: Kind,
        _ path: String,
        offset: UInt64 = 0,
        count: Int = 0,
        isMutating: Bool? = nil
    ) {
        self.kind = kind
        self.path = path
        self.offset = offset
        self.count = count
        self.isMutating = isMutating ?? Self.mutating.contains(kind)
    }

    private static let mutating: Set<Kind> = [
        .createDirectory, .rename, .link, .unlink, .removeDirectory, .syncDirectory, .write,
        .setSize, .allocate, .sync, .barrier,
    ]
}

extension DiskCall.Kind {
    func error(_ path: String, _ errno: SystemErrorNumber) -> SystemCallError {
        SystemCallError(call: rawValue, path: path, errno: errno)
    }
}

extension DiskCall: CustomStringConvertible {
    /// Such as `pwrite notes/1.segment 4096+512`.
    public var description: String {
        let place = offset > 0 || count > 0 ? " \(offset)+\(count)" : ""
        return "\(kind.rawValue) \(path)\(place)"
    }
}
