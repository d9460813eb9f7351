import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The space of the file system that a path is on.
enum DiskSpace {
    /// The bytes that a program may still write (`statvfs`).
    static func available(at path: String) throws(SystemCallError) -> UInt64 {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last("statvfs", path) }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
