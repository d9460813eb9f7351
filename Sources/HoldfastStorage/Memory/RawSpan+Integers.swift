extension RawSpan {
    /// The little-endian integer at an offset, which must lie within the span.
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Integer.Type = Integer.self
    ) -> Integer {
        Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The byte at an offset, which must lie within the span.
    func byte(at offset: Int) -> UInt8 { integer(at: offset) }

    /// Reads an unsigned LEB128 number below 2^32 and moves `offset` behind it.
    ///
    /// - Returns: `nil` where the span ends within it, or it is longer than it needs to be.
    func varint(at offset: inout Int) -> Int? {
        var value = 0
        var shift = 0
        while offset < byteCount, shift < 35 {
            let byte = byte(at: offset)
            offset += 1
            value |= Int(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else {
                return byte == 0 && shift > 0 || value > Int(UInt32.max) ? nil : value
            }
            shift += 7
        }
        return nil
    }

    /// Reads an unsigned LEB128 number of up to 64 bits and moves `offset` behind it.
    ///
    /// - Returns: `nil` where the span ends within it, or it is longer than it needs to be.
    func longVarint(at offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < byteCount, shift < 70 {
            let byte = UInt64(byte(at: offset))
            offset += 1
            let bits = byte & 0x7f
            guard shift < 63 || bits <= 1 else { return nil }
            value |= bits << shift
            guard byte & 0x80 != 0 else { return byte == 0 && shift > 0 ? nil : value }
            shift += 7
        }
        return nil
    }

    /// Whether every byte is zero.
    var isZero: Bool {
        var offset = 0
        while byteCount - offset >= 8 {
            if unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 {
                return false
            }
            offset += 8
        }
        while offset < byteCount {
            if byte(at: offset) != 0 { return false }
            offset += 1
        }
        return true
    }
}

extension RawSpan {
    /// Whether the two spans hold the same bytes.
    func isEqual(to other: RawSpan) -> Bool {
        byteCount == other.byteCount && BytesView(self).compareShared(with: BytesView(other)) == 0
    }
}
