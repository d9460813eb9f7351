package import HoldfastStorage
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The two ends of a pipe, both closed in a program that is started.
package struct Pipe: Sendable {
    /// Where what was written comes out.
    package let readEnd: Descriptor
    /// Where to write.
    package let writeEnd: Descriptor

    /// Held while a program is started and while a pipe is not yet marked to be closed in one: a
    /// child that got an end by chance would keep the pipe open.
    static let inheritance = Mutex(())

    /// Makes one.
    package init() throws(SystemCallError) {
        var ends: [Int32] = [0, 0]
        try Self.inheritance.withLock { _ throws(SystemCallError) in
            guard unsafe pipe(&ends) == 0 else { throw .last("pipe", "") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        readEnd = Descriptor(number: ends[0], name: "a pipe")
        writeEnd = Descriptor(number: ends[1], name: "a pipe")
    }
}
