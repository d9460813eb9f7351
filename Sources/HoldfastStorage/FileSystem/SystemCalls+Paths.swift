#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The calls into libc that work on paths.
extension SystemCalls {
    /// Opens a file close-on-exec, never as a standard stream.
    ///
    /// In a process that was started without one of the standard streams, `open` gives its number
    /// out, and a message printed there would land in the store. (SQLite met this in the field.)
    static func open(_ path: String, _ access: FileAccess) throws(SystemCallError) -> Int32 {
        // Where a pipe has taken a file's name, opening it must not wait for its other end.
        let descriptor = try open(path, flags: access.flags | O_NONBLOCK)
        guard descriptor <= STDERR_FILENO else { return descriptor }
        defer { close(descriptor) }
        return try check("fcntl F_DUPFD_CLOEXEC", path) {
            fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        }
    }

    /// Syncs a directory's entries, in the three calls that this takes.
    static func syncDirectory(_ path: String) throws(SystemCallError) {
        let descriptor = try open(path, flags: O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #if canImport(Darwin)
        try sync(descriptor, path)
        #else
        // Not `fdatasync`, which need not write what only the names changed.
        try check("fsync", path) { fsync(descriptor) }
        #endif
    }

    static func createDirectory(_ path: String) throws(SystemCallError) {
        try check("mkdir", path) { unsafe mkdir(path, 0o700) }
    }

    /// - Returns: The names without `.` and `..`; bytes that are no UTF-8 are replaced.
    static func list(_ path: String) throws(SystemCallError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw failure("opendir", path, errno) }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(directory) else {
                let number = errno
                guard number == 0 else { throw failure("readdir", path, number) }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(
                    cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                )
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// - Returns: `nil` where nothing has that name. A symbolic link is what it leads to.
    static func kind(of path: String) throws(SystemCallError) -> FileKind? {
        var status = stat()
        do throws(SystemCallError) {
            try check("stat", path) { unsafe stat(path, &status) }
        } catch  where error.errno == .notFound {
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    static func rename(_ path: String, to newPath: String) throws(SystemCallError) {
        #if canImport(Glibc)
        try check("rename", path) { unsafe Glibc.rename(path, newPath) }
        #elseif canImport(Musl)
        try check("rename", path) { unsafe Musl.rename(path, newPath) }
        #elseif canImport(Darwin)
        try check("rename", path) { unsafe Darwin.rename(path, newPath) }
        #endif
    }

    static func link(_ path: String, to newPath: String) throws(SystemCallError) {
        try check("linkat", path) {
            unsafe linkat(AT_FDCWD, path, AT_FDCWD, newPath, AT_SYMLINK_FOLLOW)
        }
    }

    static func remove(_ path: String) throws(SystemCallError) {
        try check("unlink", path) { unsafe unlink(path) }
    }

    static func removeDirectory(_ path: String) throws(SystemCallError) {
        try check("rmdir", path) { unsafe rmdir(path) }
    }

    private static func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
        let flags = flags | O_CLOEXEC
        #if canImport(Glibc)
        return try check("open", path) { unsafe Glibc.open(path, flags, 0o600) }
        #elseif canImport(Musl)
        return try check("open", path) { unsafe Musl.open(path, flags, 0o600) }
        #elseif canImport(Darwin)
        return try check("open", path) { unsafe Darwin.open(path, flags, 0o600) }
        #endif
    }
}

extension FileAccess {
    fileprivate var flags: Int32 {
        switch self {
        case .read: O_RDONLY
        case .readWrite: O_RDWR
        case .createNew: O_RDWR | O_CREAT | O_EXCL
        case .createIfMissing: O_RDWR | O_CREAT
        }
    }
}
