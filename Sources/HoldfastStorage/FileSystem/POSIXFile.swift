import Synchronization

/// An open file of the operating system.
///
/// A call that is under way when another thread closes the file is carried through, and the
/// descriptor is given back when the last one ends: its number cannot become another file's under
/// a call's feet.
package final class POSIXFile: File {
    package let path: String
    private let descriptor: Int32
    /// The calls under way, and ``closedBit`` once the file is closed.
    private let users = Atomic<UInt64>(0)
    private static let closedBit: UInt64 = 1 << 63

    /// Takes the descriptor over: it is closed with the file, or with the last reference to it.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close() }

    package func close() {
        let old = users.bitwiseOr(Self.closedBit, ordering: .acquiringAndReleasing).oldValue
        if old == 0 { SystemCalls.close(descriptor) }
    }

    /// Runs `body` with a descriptor that stays this file's until `body` ends.
    ///
    /// - Throws: What `body` throws, or `.badDescriptor` once the file is closed.
    package func withDescriptor<Result>(
        _ call: String,
        _ body: (Int32) throws(SystemCallError) -> Result
    ) throws(SystemCallError) -> Result {
        var current = users.load(ordering: .relaxed)
        while true {
            guard current & Self.closedBit == 0 else {
                throw SystemCallError(call: call, path: path, errno: .badDescriptor)
            }
            let (exchanged, original) = users.weakCompareExchange(
                expected: current,
                desired: current + 1,
                ordering: .acquiring
            )
            if exchanged { break }
            current = original
        }
        defer {
            let left = users.subtract(1, ordering: .acquiringAndReleasing).newValue
            if left == Self.closedBit { SystemCalls.close(descriptor) }
        }
        return try body(descriptor)
    }
}

extension POSIXFile {
    package func size() throws(SystemCallError) -> UInt64 {
        try withDescriptor("fstat") { number throws(SystemCallError) in
            try SystemCalls.size(number, path)
        }
    }

    package func readOnce(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemCallError) -> Int {
        try withDescriptor("pread") { number throws(SystemCallError) in
            try unsafe SystemCalls.read(number, into: buffer, at: offset, path)
        }
    }

    package func writeOnce(_ bytes: RawSpan, at offset: UInt64) throws(SystemCallError) -> Int {
        try withDescriptor("pwrite") { number throws(SystemCallError) in
            try SystemCalls.write(number, bytes, at: offset, path)
        }
    }

    package func setSize(_ size: UInt64) throws(SystemCallError) {
        try withDescriptor("ftruncate") { number throws(SystemCallError) in
            try SystemCalls.setSize(number, size, path)
        }
    }

    package func allocate(upTo size: UInt64) throws(SystemCallError) {
        try withDescriptor("posix_fallocate") { number throws(SystemCallError) in
            try SystemCalls.allocate(number, upTo: size, path)
        }
    }

    package func sync() throws(SystemCallError) {
        try withDescriptor("fsync") { number throws(SystemCallError) in
            try SystemCalls.sync(number, path)
        }
    }

    package func barrier() throws(SystemCallError) {
        try withDescriptor("fsync") { number throws(SystemCallError) in
            try SystemCalls.barrier(number, path)
        }
    }

    package func discardCache(of range: Range<UInt64>) {
        try? withDescriptor("posix_fadvise") { number in
            SystemCalls.discardCache(number, range)
        }
    }

    package func tryLock(_ kind: FileLock) throws(SystemCallError) -> Bool {
        try withDescriptor("flock") { number throws(SystemCallError) in
            try SystemCalls.tryLock(number, kind, path)
        }
    }

    package func unlock() throws(SystemCallError) {
        try withDescriptor("flock") { number throws(SystemCallError) in
            try SystemCalls.unlock(number, path)
        }
    }
}
