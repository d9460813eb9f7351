/// An open file of a ``FileSystem``.
///
/// One method is one system call; any of them may be called from any thread. Offsets and sizes are
/// bytes from the start of the file.
public protocol File: AnyObject, Sendable {
    /// The path that the file was opened with, for messages.
    var path: String { get }

    /// The file's size in bytes.
    func size() throws(SystemCallError) -> UInt64

    /// Reads at most `buffer.count` bytes at `offset` (one `pread`) into memory that stays valid
    /// during the call.
    ///
    /// - Returns: The bytes read; 0 at or behind the end of the file.
    @unsafe
    func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int

    /// Reads until `buffer` is full or the file ends; the default calls ``readOnce(into:at:)`` as
    /// often as that takes.
    ///
    /// It is a requirement so that a value's read is one call into the concrete file.
    ///
    /// - Returns: The bytes read; fewer than the buffer holds only at the end of the file.
    @unsafe
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int

    /// Writes at most `bytes.byteCount` bytes at `offset` (one `pwrite`).
    ///
    /// - Returns: The bytes written, fewer than asked where the system stopped early.
    func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int

    /// Cuts or extends the file to `size` bytes; new bytes read as zero.
    func setSize(_ size: UInt64) throws(SystemCallError)

    /// Reserves space up to `size` bytes, so that writes below it need no new blocks; new bytes
    /// read as zero.
    func allocate(upTo size: UInt64) throws(SystemCallError)

    /// Makes every completed write durable against power loss.
    ///
    /// `fdatasync` on Linux; `F_FULLFSYNC` on Darwin, or `fsync` where the file system says that it
    /// does not support it. After an error the state of the file on the disk is unknown and a
    /// second call proves nothing.
    func sync() throws(SystemCallError)

    /// Orders every completed write before every later one (`F_BARRIERFSYNC` on Darwin; elsewhere
    /// nothing, since the system has no such call).
    func barrier() throws(SystemCallError)

    /// Tells the system that a range will not be needed soon, so that reading it again means reading
    /// the disk (`posix_fadvise` on Linux).
    ///
    /// It is advice, and the default gives none.
    func discardCache(of range: Range<UInt64>)

    /// Tries to take an advisory lock (`flock`) without waiting.
    ///
    /// - Returns: `false` where another open file holds a lock that excludes this one.
    func tryLock(_ kind: FileLock) throws(SystemCallError) -> Bool

    /// Gives the advisory lock up.
    func unlock() throws(SystemCallError)

    /// Closes the file; every later call throws `.badDescriptor`.
    ///
    /// A lock that is still held goes only when no other process has the descriptor either, and a
    /// child has it between `fork` and `exec`: give a lock up with ``unlock()`` first.
    func close()
}

extension File {
    /// Does nothing.
    public func discardCache(of range: Range<UInt64>) {}
}

/// The two kinds of an advisory lock.
public enum FileLock: Hashable, Sendable {
    /// Many may hold it at once.
    case shared
    /// One holds it, and nobody holds a shared one.
    case exclusive
}
