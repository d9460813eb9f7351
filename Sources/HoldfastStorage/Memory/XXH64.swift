/// XXH64 (Yann Collet's xxHash, 64 bits), the check of everything long: payloads are scanned at the
/// speed of memory.
package enum XXH64 {
    /// The hash of `bytes` under `seed`.
    package static func hash(of bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe hash(of: buffer, seed: seed)
        }
    }

    private static func hash(of buffer: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var offset = 0
        var hash =
            buffer.count >= 32
            ? unsafe hashStripes(of: buffer, seed: seed, offset: &offset)
            : seed &+ prime5
        hash &+= UInt64(buffer.count)
        unsafe mixTail(of: buffer, from: offset, into: &hash)
        hash = (hash ^ (hash &>> 33)) &* prime2
        hash = (hash ^ (hash &>> 29)) &* prime3
        return hash ^ (hash &>> 32)
    }

    /// Hashes the whole stripes of 32 bytes and leaves `offset` behind them.
    @inline(__always)
    private static func hashStripes(
        of buffer: UnsafeRawBufferPointer,
        seed: UInt64,
        offset: inout Int
    ) -> UInt64 {
        var first = seed &+ prime1 &+ prime2
        var second = seed &+ prime2
        var third = seed
        var fourth = seed &- prime1
        while buffer.count &- offset >= 32 {
            first = unsafe round(first, word(buffer, offset))
            second = unsafe round(second, word(buffer, offset &+ 8))
            third = unsafe round(third, word(buffer, offset &+ 16))
            fourth = unsafe round(fourth, word(buffer, offset &+ 24))
            offset &+= 32
        }
        var hash = rotate(first, 1) &+ rotate(second, 7) &+ rotate(third, 12)
        hash &+= rotate(fourth, 18)
        hash = merge(hash, first)
        hash = merge(hash, second)
        hash = merge(hash, third)
        return merge(hash, fourth)
    }

    /// Mixes the bytes behind the last whole stripe into `hash`: by eight, by four, one by one.
    @inline(__always)
    private static func mixTail(
        of buffer: UnsafeRawBufferPointer,
        from start: Int,
        into hash: inout UInt64
    ) {
        var offset = start
        while buffer.count &- offset >= 8 {
            hash ^= unsafe round(0, word(buffer, offset))
            hash = rotate(hash, 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if buffer.count &- offset >= 4 {
            let half = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            hash ^= UInt64(UInt32(littleEndian: half)) &* prime1
            hash = rotate(hash, 23) &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < buffer.count {
            hash ^= unsafe UInt64(buffer[offset]) &* prime5
            hash = rotate(hash, 11) &* prime1
            offset &+= 1
        }
    }

    @inline(__always)
    private static func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        (value &<< count) | (value &>> (64 &- count))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    // Literals, not globals behind a lazy initializer: constant-folded in every build.
    private static var prime1: UInt64 { 0x9E37_79B1_85EB_CA87 }
    private static var prime2: UInt64 { 0xC2B2_AE3D_27D4_EB4F }
    private static var prime3: UInt64 { 0x1656_67B1_9E37_79F9 }
    private static var prime4: UInt64 { 0x85EB_CA77_C2B2_AE63 }
    private static var prime5: UInt64 { 0x27D4_EB2F_1656_67C5 }
}
