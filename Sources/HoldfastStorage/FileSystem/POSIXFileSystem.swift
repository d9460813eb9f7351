/// The operating system's files.
///
/// Every file is opened close-on-exec, created with mode 0600, and never as a standard stream.
/// Symbolic links are followed.
public struct POSIXFileSystem: FileSystem {
    /// The file system of this process.
    public init() {}

    /// Opens a file (`open` with `O_CLOEXEC`).
    public func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File {
        POSIXFile(descriptor: try SystemCalls.open(path, access), path: path)
    }

    /// Creates a directory with mode 0700 (`mkdir`).
    public func createDirectory(_ path: String) throws(SystemCallError) {
        try SystemCalls.createDirectory(path)
    }

    /// The names in a directory (`readdir`); bytes that are no UTF-8 are replaced.
    public func list(_ path: String) throws(SystemCallError) -> [String] {
        try SystemCalls.list(path)
    }

    /// What stands at a path (`stat`).
    public func kind(of path: String) throws(SystemCallError) -> FileKind? {
        try SystemCalls.kind(of: path)
    }

    /// Renames a file or a directory (`rename`).
    public func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        try SystemCalls.rename(path, to: newPath)
    }

    /// Gives a file a second name (`linkat`, which follows a symbolic link here).
    public func link(_ path: String, to newPath: String) throws(SystemCallError) {
        try SystemCalls.link(path, to: newPath)
    }

    /// Removes a file's name (`unlink`).
    public func unlink(_ path: String) throws(SystemCallError) {
        try SystemCalls.remove(path)
    }

    /// Removes an empty directory (`rmdir`).
    public func removeDirectory(_ path: String) throws(SystemCallError) {
        try SystemCalls.removeDirectory(path)
    }

    /// Makes a directory's entries durable (`open`, `fsync`, `close`).
    public func syncDirectory(_ path: String) throws(SystemCallError) {
        try SystemCalls.syncDirectory(path)
    }
}
