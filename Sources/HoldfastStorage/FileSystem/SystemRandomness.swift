import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's randomness, fetched 256 bytes at a time: one call costs more than an id.
///
/// What was fetched stays unpredictable to others. A process that forks and goes on without `exec`
/// would share what is left; Swift programs do not.
package final class SystemRandomness: Sendable {
    /// The one that the process uses.
    package static let shared = SystemRandomness()

    private static let wordCount = 32
    private let pool = Mutex<[UInt64]>([])

    /// 64 random bits.
    package func next() -> UInt64 {
        pool.withLock { pool in
            if let word = pool.popLast() { return word }
            pool = Self.fetch()
            return pool.popLast() ?? .random(in: .min ... .max)
        }
    }

    /// Words from the system; none where it gives none.
    private static func fetch() -> [UInt64] {
        unsafe [UInt64](unsafeUninitializedCapacity: wordCount) { words, count in
            let bytes = UnsafeMutableRawBufferPointer(words)
            guard let start = bytes.baseAddress else { return }
            // At most 256 bytes a call, of which it gives all or none.
            count = unsafe getentropy(start, bytes.count) == 0 ? words.count : 0
        }
    }
}
