#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The calls into libc that work on an open descriptor; those that work on paths are in
/// `SystemCalls+Paths.swift`.
///
/// One function is one call (with the fallback that its documentation names) and one error.
enum SystemCalls {
    /// Runs one call and turns -1 into the error that names it.
    @discardableResult
    @inline(__always)
    static func check<Value: SignedInteger>(
        _ call: String,
        _ path: String,
        _ body: () -> Value
    ) throws(SystemCallError) -> Value {
        let value = body()
        guard value != -1 else { throw failure(call, path, errno) }
        return value
    }

    static func failure(_ call: String, _ path: String, _ number: Int32) -> SystemCallError {
        SystemCallError(call: call, path: path, errno: SystemErrorNumber(rawValue: number))
    }

    static func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64,
        _ path: String
    ) throws(SystemCallError) -> Int {
        let position = try signed(offset, "pread", path)
        let count = min(buffer.count, largestTransfer)
        return try check("pread", path) {
            unsafe pread(descriptor, buffer.baseAddress, count, position)
        }
    }

    static func write(
        _ descriptor: Int32,
        _ bytes: RawSpan,
        at offset: UInt64,
        _ path: String
    ) throws(SystemCallError) -> Int {
        let position = try signed(offset, "pwrite", path)
        let count = min(bytes.byteCount, largestTransfer)
        return try check("pwrite", path) {
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(descriptor, buffer.baseAddress, count, position)
            }
        }
    }

    static func status(_ descriptor: Int32, _ path: String) throws(SystemCallError) -> stat {
        var status = stat()
        try check("fstat", path) { unsafe fstat(descriptor, &status) }
        return status
    }

    static func size(_ descriptor: Int32, _ path: String) throws(SystemCallError) -> UInt64 {
        UInt64(clamping: try status(descriptor, path).st_size)
    }

    static func setSize(
        _ descriptor: Int32,
        _ size: UInt64,
        _ path: String
    ) throws(SystemCallError) {
        let size = try signed(size, "ftruncate", path)
        try check("ftruncate", path) { ftruncate(descriptor, size) }
    }

    /// Advice: whether it was taken does not matter.
    static func discardCache(_ descriptor: Int32, _ range: Range<UInt64>) {
        #if !canImport(Darwin)
        guard let start = off_t(exactly: range.lowerBound),
            let count = off_t(exactly: range.upperBound - range.lowerBound)
        else { return }
        _ = posix_fadvise(descriptor, start, count, POSIX_FADV_DONTNEED)
        #endif
    }

    /// - Returns: `false` where another open file excludes the lock.
    static func tryLock(
        _ descriptor: Int32,
        _ kind: FileLock,
        _ path: String
    ) throws(SystemCallError) -> Bool {
        let operation = kind == .shared ? LOCK_SH : LOCK_EX
        do throws(SystemCallError) {
            try check("flock", path) { flock(descriptor, operation | LOCK_NB) }
            return true
        } catch  where error.errno.rawValue == EWOULDBLOCK {
            return false
        }
    }

    static func unlock(_ descriptor: Int32, _ path: String) throws(SystemCallError) {
        try check("flock", path) { flock(descriptor, LOCK_UN) }
    }

    /// Closes a descriptor, once: whatever `close` returns, the number is free and may already be
    /// another file's.
    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #elseif canImport(Darwin)
        _ = Darwin.close(descriptor)
        #endif
    }

    static func signed(
        _ offset: UInt64,
        _ call: String,
        _ path: String
    ) throws(SystemCallError) -> off_t {
        guard let position = off_t(exactly: offset) else { throw failure(call, path, EINVAL) }
        return position
    }

    /// Darwin refuses a transfer above `INT_MAX` instead of doing a part of it.
    private static let largestTransfer = 1 << 30
}
