#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's reason for a failed call (`errno`).
public struct SystemErrorNumber: Hashable, Sendable {
    /// The number as libc has it.
    public let rawValue: Int32

    /// Wraps a number of libc's.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A signal arrived before anything was done: call again.
    public static let interrupted = Self(rawValue: EINTR)
    /// The device failed.
    public static let inputOutput = Self(rawValue: EIO)
    /// The disk is full.
    public static let noSpace = Self(rawValue: ENOSPC)
    /// The user's share of the disk is used up.
    public static let quotaExceeded = Self(rawValue: EDQUOT)
    /// The file would grow past a limit.
    public static let fileTooLarge = Self(rawValue: EFBIG)
    /// Nothing has that name.
    public static let notFound = Self(rawValue: ENOENT)
    /// The name is taken.
    public static let exists = Self(rawValue: EEXIST)
    /// A part of the path is not a directory.
    public static let notADirectory = Self(rawValue: ENOTDIR)
    /// It is a directory.
    public static let isADirectory = Self(rawValue: EISDIR)
    /// The two names are on different devices.
    public static let crossesDevices = Self(rawValue: EXDEV)
    /// The mode or a rule forbids it.
    public static let permissionDenied = Self(rawValue: EACCES)
    /// The system forbids it, as iOS does for a locked device.
    public static let notPermitted = Self(rawValue: EPERM)
    /// The file system is mounted for reading only.
    public static let readOnlyFileSystem = Self(rawValue: EROFS)
    /// The file is closed.
    public static let badDescriptor = Self(rawValue: EBADF)
    /// The file system has no such call.
    public static let notSupported = Self(rawValue: ENOTSUP)
    /// The directory is not empty.
    public static let notEmpty = Self(rawValue: ENOTEMPTY)
    /// The call does not apply here.
    public static let invalidArgument = Self(rawValue: EINVAL)
}

extension SystemErrorNumber: CustomStringConvertible {
    /// The system's own words for it.
    public var description: String {
        // `strerror` may share one buffer between threads; the copy is made at once.
        guard let text = unsafe strerror(rawValue) else { return "error \(rawValue)" }
        return unsafe String(cString: text)
    }
}
