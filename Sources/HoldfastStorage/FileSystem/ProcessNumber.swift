#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of this process, as others see it.
enum ProcessNumber {
    static var current: Int32 { getpid() }
}
