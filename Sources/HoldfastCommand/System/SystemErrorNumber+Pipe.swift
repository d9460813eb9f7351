import HoldfastStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemErrorNumber {
    /// The reader of a pipe closed it.
    static let brokenPipe = Self(rawValue: EPIPE)
}
