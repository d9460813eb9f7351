/// CRC-32C (Castagnoli, RFC 3720), the check of headers; entries and payloads have XXH64.
///
/// It finds every burst of damage up to 32 bits, and all but one in 2^32 of the rest.
package enum CRC32C {
    /// The checksum of `bytes`, continued from `seed`.
    ///
    /// The checksum of `a` as the seed for `b` gives the checksum of `a` and `b` together.
    package static func checksum(of bytes: RawSpan, seed: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe checksum(of: buffer, seed: seed)
        }
    }

    private static func checksum(of buffer: UnsafeRawBufferPointer, seed: UInt32) -> UInt32 {
        let table = unsafe tables
        var register = ~seed
        var offset = 0
        while buffer.count &- offset >= 16 {
            let low = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = unsafe buffer.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            register =
                unsafe slice(UInt64(littleEndian: low) ^ UInt64(register), table + 8 &* 256)
                ^ slice(UInt64(littleEndian: high), table)
            offset &+= 16
        }
        while offset < buffer.count {
            let index = unsafe Int(truncatingIfNeeded: register ^ UInt32(buffer[offset])) & 255
            register = unsafe table[index] ^ (register &>> 8)
            offset &+= 1
        }
        return ~register
    }

    /// Eight bytes through the eight tables that begin at `table`, the first byte through the last.
    @inline(__always)
    private static func slice(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
        @inline(__always)
        func part(_ byte: Int) -> UInt32 {
            let index = Int(truncatingIfNeeded: word &>> UInt64(byte &* 8)) & 255
            return unsafe table[(7 &- byte) &* 256 &+ index]
        }
        let first = part(0) ^ part(1) ^ part(2) ^ part(3)
        return first ^ part(4) ^ part(5) ^ part(6) ^ part(7)
    }

    /// Sixteen tables of 256: the n-th holds what a byte does to the register n bytes later.
    ///
    /// Unsafe to the compiler alone: allocated once, never written again and never freed.
    private nonisolated(unsafe) static let tables: UnsafePointer<UInt32> = {
        let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 16 * 256)
        for byte in 0..<256 {
            var register = UInt32(byte)
            for _ in 0..<8 {
                register = (register >> 1) ^ (register & 1 == 1 ? 0x82F6_3B78 : 0)
            }
            unsafe (table + byte).initialize(to: register)
        }
        for index in 256..<16 * 256 {
            let previous = unsafe table[index - 256]
            let next = unsafe table[Int(previous & 255)] ^ (previous >> 8)
            unsafe (table + index).initialize(to: next)
        }
        return unsafe UnsafePointer(table)
    }()
}
