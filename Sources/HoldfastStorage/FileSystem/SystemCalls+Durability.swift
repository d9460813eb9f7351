#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Syncs, barriers and reserved space: what each system calls differently.
extension SystemCalls {
    #if canImport(Darwin)
    /// `fsync` there leaves the data in the drive's cache; only `F_FULLFSYNC` empties that.
    static func sync(_ descriptor: Int32, _ path: String) throws(SystemCallError) {
        do throws(SystemCallError) {
            try check("fcntl F_FULLFSYNC", path) { fcntl(descriptor, F_FULLFSYNC) }
        } catch  where isUnsupported(error.errno.rawValue) {
            try check("fsync", path) { fsync(descriptor) }
        }
    }

    static func barrier(_ descriptor: Int32, _ path: String) throws(SystemCallError) {
        do throws(SystemCallError) {
            try check("fcntl F_BARRIERFSYNC", path) { fcntl(descriptor, F_BARRIERFSYNC) }
        } catch  where isUnsupported(error.errno.rawValue) {
            try sync(descriptor, path)
        }
    }

    static func allocate(
        _ descriptor: Int32,
        upTo size: UInt64,
        _ path: String
    ) throws(SystemCallError) {
        let status = try status(descriptor, path)
        let missing = try signed(size, "fcntl F_PREALLOCATE", path) - status.st_blocks * 512
        if missing > 0 {
            var request = fstore_t()
            request.fst_flags = UInt32(F_ALLOCATEALL)
            request.fst_posmode = F_PEOFPOSMODE
            request.fst_length = missing
            do throws(SystemCallError) {
                try check("fcntl F_PREALLOCATE", path) {
                    unsafe fcntl(descriptor, F_PREALLOCATE, &request)
                }
            } catch  where !isUnsupported(error.errno.rawValue) {
                throw error
            } catch {}
        }
        try grow(descriptor, to: size, from: status, path)
    }
    #else
    static func sync(_ descriptor: Int32, _ path: String) throws(SystemCallError) {
        try check("fdatasync", path) { fdatasync(descriptor) }
    }

    static func barrier(_ descriptor: Int32, _ path: String) throws(SystemCallError) {}

    static func allocate(
        _ descriptor: Int32,
        upTo size: UInt64,
        _ path: String
    ) throws(SystemCallError) {
        // It returns the error's number and leaves `errno` alone.
        let number = posix_fallocate(descriptor, 0, try signed(size, "posix_fallocate", path))
        if number == 0 { return }
        guard isUnsupported(number) else { throw failure("posix_fallocate", path, number) }
        try grow(descriptor, to: size, from: status(descriptor, path), path)
    }
    #endif

    /// What a file system says that does not know a call.
    private static func isUnsupported(_ number: Int32) -> Bool {
        number == ENOTSUP || number == EOPNOTSUPP || number == EINVAL || number == ENOTTY
    }

    /// Never cuts: a reservation below the file's end changes nothing.
    private static func grow(
        _ descriptor: Int32,
        to size: UInt64,
        from status: stat,
        _ path: String
    ) throws(SystemCallError) {
        guard size > UInt64(clamping: status.st_size) else { return }
        try setSize(descriptor, size, path)
    }
}
