package import HoldfastStorage
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A descriptor of this process that is read or written from front to back: a pipe, a terminal, or
/// a file that is only streamed.
package final class Descriptor: Sendable {
    static let standardInput = Descriptor(number: 0, name: "standard input", isOwned: false)
    static let standardOutput = Descriptor(number: 1, name: "standard output", isOwned: false)
    static let standardError = Descriptor(number: 2, name: "standard error", isOwned: false)

    private let current: Atomic<Int32>
    private let name: String
    private let isOwned: Bool

    /// Takes a descriptor over: it is closed with this object, unless it is not `isOwned`.
    package init(number: Int32, name: String, isOwned: Bool = true) {
        current = Atomic(number)
        self.name = name
        self.isOwned = isOwned
    }

    /// Opens a file for reading.
    package convenience init(reading path: String) throws(SystemCallError) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path) }
        self.init(number: number, name: path)
    }

    /// Creates a file, or empties the one that is there, for writing.
    package convenience init(writing path: String) throws(SystemCallError) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .last("open", path) }
        self.init(number: number, name: path)
    }

    deinit { close() }

    /// Closes it now, which the other end of a pipe sees; later calls fail.
    package func close() {
        let number = current.exchange(-1, ordering: .relaxed)
        if isOwned, number >= 0 { systemClose(number) }
    }

    /// The number that the system knows it by.
    var number: Int32 { current.load(ordering: .relaxed) }

    var isTerminal: Bool { isatty(number) == 1 }

    var isDirectory: Bool {
        var status = stat()
        return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The bytes of a regular file; `nil` for anything whose end is not known.
    var fileSize: UInt64? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(max(0, status.st_size))
    }

    /// The width of the terminal behind it, in columns.
    var terminalColumns: Int? {
        var size = winsize()
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Waits until bytes or the end can be read.
    ///
    /// - Returns: Whether that came within `milliseconds`.
    package func waitUntilReadable(milliseconds: Int32) throws(SystemCallError) -> Bool {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&entry, 1, milliseconds)
        if ready < 0, errno != EINTR { throw .last("poll", name) }
        return ready > 0
    }

    /// Reads what is there, at most `count` bytes; empty at the end.
    package func read(atMost count: Int) throws(SystemCallError) -> [UInt8] {
        var outcome = Result<Int, SystemCallError>.success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            outcome = unsafe readOnce(into: UnsafeMutableRawBufferPointer(buffer))
            initialized = (try? outcome.get()) ?? 0
        }
        _ = try outcome.get()
        return bytes
    }

    /// Writes all of `bytes`: one call, continued only where the system stopped early.
    package func write(_ bytes: Span<UInt8>) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            written += try writeOnce(rest)
        }
    }

    private func readOnce(
        into buffer: UnsafeMutableRawBufferPointer
    ) -> Result<Int, SystemCallError> {
        while true {
            let count = unsafe systemRead(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(.last("read", name)) }
        }
    }

    private func writeOnce(_ bytes: Span<UInt8>) throws(SystemCallError) -> Int {
        let count = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe systemWrite(number, buffer.baseAddress, buffer.count)
        }
        if count >= 0 { return count }
        if errno == EINTR { return 0 }
        throw .last("write", name)
    }
}

// Inside the class the names of libc are hidden by its own methods.
@unsafe
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(number, buffer, count)
}

private func systemClose(_ number: Int32) {
    close(number)
}

@unsafe
private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(number, buffer, count)
}

/// Outside the error, whose own property hides the name of libc's.
private func systemErrorNumber() -> Int32 { errno }

extension SystemCallError {
    /// The call that failed just now in this thread.
    static func last(_ call: String, _ path: String) -> SystemCallError {
        SystemCallError(
            call: call,
            path: path,
            errno: SystemErrorNumber(rawValue: systemErrorNumber())
        )
    }
}
