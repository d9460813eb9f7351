public import HoldfastStorage

extension SimulatedDisk {
    /// Makes the checks of a store's file right again, whatever stands in it.
    ///
    /// Nearly all random damage ends at a check. With the checks forged it comes through to what
    /// stands behind them, which must not trap on it either; what is right can no longer be told.
    ///
    /// - Parameter path: A segment's file, or another that begins with a header.
    /// - Throws: `SystemCallError` where there is no such file.
    public func forgeChecks(of path: String) throws(SystemCallError) {
        var forgery = Forgery(bytes: try contents(of: path))
        forgery.forgeHeader(at: 0)
        if path.hasSuffix(".segment") || path.hasSuffix("/identity") {
            forgery.forgeHeader(at: 4_096)
        }
        if path.hasSuffix(".segment") { forgery.forgeFrames() }
        try replace(path, with: forgery.bytes)
    }
}

/// The bytes of a file whose checks are made right, as FORMAT.md defines them.
private struct Forgery {
    private static let firstFrame = 8_192
    private static let headerLength = 48

    var bytes: [UInt8]

    mutating func forgeHeader(at start: Int) {
        guard let length = integer(at: start + 12, bytes: 4), (20...4_096).contains(length),
            start + length <= bytes.count
        else { return }
        let check = crc(start..<start + length - 4, seed: 0)
        store(UInt64(check), at: start + length - 4, bytes: 4)
    }

    /// Forges one frame behind the other, as far as their lengths lead.
    mutating func forgeFrames() {
        guard bytes.count > Self.firstFrame else { return }
        let salt = word(at: 56)
        var chain = xxh(0..<128, seed: salt)
        var offset = Self.firstFrame
        while offset + Self.headerLength <= bytes.count, word(at: offset + 8) != 0 {
            let number = word(at: offset + 16)
            let length = min(
                integer(at: offset + 8, bytes: 4) ?? 0,
                bytes.count - offset - Self.headerLength
            )
            let payload = offset + Self.headerLength..<offset + Self.headerLength + length
            store(UInt64(length), at: offset + 8, bytes: 4)
            store(chain, at: offset + 32, bytes: 8)
            forgeEntries(payload, number, areMoved: bytes[offset + 4] == 4)
            store(xxh(payload, seed: salt ^ number), at: offset + 40, bytes: 8)
            let mixed = salt ^ UInt64(offset) &* 0x9E37_79B9_7F4A_7C15
            let seed = UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
            store(UInt64(crc(offset + 4..<payload.lowerBound, seed: seed)), at: offset, bytes: 4)
            chain = xxh(offset..<payload.lowerBound, seed: salt)
            offset = (payload.upperBound + 7) & ~7
        }
    }

    private mutating func forgeEntries(_ payload: Range<Int>, _ number: UInt64, areMoved: Bool) {
        var position = payload.lowerBound
        while position < payload.upperBound {
            var number = number
            if areMoved { number = varint(&position, payload.upperBound) ?? 0 }
            let start = position
            guard let end = entryEnd(start, payload.upperBound) else { return }
            let check = xxh(start + 4..<end, seed: number)
            store(check & 0xFFFF_FFFF, at: start, bytes: 4)
            position = end
        }
    }

    private func entryEnd(_ start: Int, _ limit: Int) -> Int? {
        guard start + 5 < limit else { return nil }
        let kind = bytes[start + 4]
        var position = start + 5
        guard let key = varint(&position, limit) else { return nil }
        var length = key
        if kind == 1 {
            guard let value = varint(&position, limit) else { return nil }
            length = key &+ value
        } else if kind == 3 {
            guard varint(&position, limit) != nil, varint(&position, limit) != nil else {
                return nil
            }
        }
        return length <= UInt64(limit - position) ? position + Int(length) : nil
    }

    private func varint(_ position: inout Int, _ limit: Int) -> UInt64? {
        var result: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) where position < limit {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
        }
        return nil
    }

    private func word(at offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
    }

    private func integer(at offset: Int, bytes count: Int) -> Int? {
        guard offset + count <= bytes.count else { return nil }
        return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }

    private mutating func store(_ value: UInt64, at offset: Int, bytes count: Int) {
        for index in 0..<count {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8))
        }
    }

    private func crc(_ range: Range<Int>, seed: UInt32) -> UInt32 {
        let part = Array(bytes[range])
        return unsafe CRC32C.checksum(of: part.span.bytes, seed: seed)
    }

    private func xxh(_ range: Range<Int>, seed: UInt64) -> UInt64 {
        let part = Array(bytes[range])
        return unsafe XXH64.hash(of: part.span.bytes, seed: seed)
    }
}
