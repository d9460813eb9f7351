/// The operating system's files.
///
/// Every file is opened close-on-exec, created with mode 0600, and never as a standard stream.
/// Symbolic links are followed.
public struct POSIXFileSystem: FileSystem {
    /// The file system of this process.
    public init() {}

    public func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File {
        POSIXFile(descriptor: try SystemCalls.open(path, access), path: path)
    }

    public func createDirectory(_ path: String) throws(SystemCallError) {
        try SystemCalls.createDirectory(path)
    }

    public func list(_ path: String) throws(SystemCallError) -> [String] {
        try SystemCalls.list(path)
    }

    public func kind(of path: String) throws(SystemCallError) -> FileKind? {
        try SystemCalls.kind(of: path)
    }

    public func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        try SystemCalls.rename(path, to: newPath)
    }

    public func unlink(_ path: String) throws(SystemCallError) {
        try SystemCalls.remove(path)
    }

    public func syncDirectory(_ path: String) throws(SystemCallError) {
        try SystemCalls.syncDirectory(path)
    }
}
