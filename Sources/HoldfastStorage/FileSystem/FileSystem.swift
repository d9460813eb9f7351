/// The seam between the engine and an operating system's files.
///
/// Everything the engine does to a disk goes through a value of this protocol, one method a system
/// call, so that a simulated disk can stand in and lose, reorder, tear or refuse any of them.
/// ``POSIXFileSystem`` is the real one; `HoldfastTesting` has `SimulatedDisk`.
///
/// A path is a plain string with `/` between its parts. No method retries, loops or hides a
/// failure: the loops that a caller needs stand once, in extensions of ``File``.
public protocol FileSystem: Sendable {
    /// Opens a file.
    ///
    /// The descriptor is close-on-exec: a spawned child that kept it would keep the store's lock.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - access: Whether the file may be written, and whether it is created (mode 0600).
    /// - Returns: The open file. A created file's name survives a power loss only after
    ///   ``syncDirectory(_:)``.
    /// - Throws: ``SystemCallError``; nothing was created.
    func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> any File

    /// Creates a directory with mode 0700.
    ///
    /// - Throws: ``SystemCallError``, with `.exists` where the name is taken.
    func createDirectory(_ path: String) throws(SystemCallError)

    /// The names in a directory, without `.` and `..`, in no order.
    func list(_ path: String) throws(SystemCallError) -> [String]

    /// What stands at a path, or `nil` where nothing does.
    func kind(of path: String) throws(SystemCallError) -> FileKind?

    /// Renames a file or a directory within its directory, replacing a file of the new name.
    ///
    /// The new name survives a power loss only after ``syncDirectory(_:)``.
    func rename(_ path: String, to newPath: String) throws(SystemCallError)

    /// Gives a file a second name (`link`), in whatever directory of the same device.
    ///
    /// The name survives a power loss only after ``syncDirectory(_:)``; the bytes behind it are the
    /// file's own, as durable as they are.
    ///
    /// The default refuses, as a file system without hard links does: whoever asks copies then.
    ///
    /// - Throws: ``SystemCallError``, with `.exists` where the name is taken.
    func link(_ path: String, to newPath: String) throws(SystemCallError)

    /// Removes a file's name.
    func unlink(_ path: String) throws(SystemCallError)

    /// Removes an empty directory; the default refuses.
    func removeDirectory(_ path: String) throws(SystemCallError)

    /// Makes a directory's entries durable: created, renamed and removed names.
    func syncDirectory(_ path: String) throws(SystemCallError)
}

extension FileSystem {
    /// Refuses.
    public func link(_ path: String, to newPath: String) throws(SystemCallError) {
        throw SystemCallError(call: "link", path: path, errno: .notSupported)
    }

    /// Refuses.
    public func removeDirectory(_ path: String) throws(SystemCallError) {
        throw SystemCallError(call: "rmdir", path: path, errno: .notSupported)
    }
}

/// How a file is opened.
public enum FileAccess: Hashable, Sendable {
    /// An existing file, for reading.
    case read
    /// An existing file, for reading and writing.
    case readWrite
    /// A file that must not exist yet, for reading and writing (`O_CREAT | O_EXCL`).
    case createNew
    /// A file that is created when missing, for reading and writing.
    case createIfMissing
}

/// What stands at a path.
public enum FileKind: Hashable, Sendable {
    /// A file.
    case file
    /// A directory.
    case directory
    /// A socket, a device, or anything else that the engine never makes.
    case other
}
