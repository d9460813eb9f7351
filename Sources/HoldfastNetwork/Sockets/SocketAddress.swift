#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An address as the system has it.
struct SocketAddress: Hashable, Sendable {
    let family: Int32
    let bytes: [UInt8]

    func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe body(
                buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(buffer.count)
            )
        }
    }
}
