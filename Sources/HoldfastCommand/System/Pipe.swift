package import HoldfastStorage

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

    /// Makes one.
    package init() throws(SystemCallError) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .last("pipe", "") }
        readEnd = Descriptor(number: ends[0], name: "a pipe")
        writeEnd = Descriptor(number: ends[1], name: "a pipe")
        for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 {
            throw .last("fcntl", "a pipe")
        }
    }
}
