/// Bytes that somebody else keeps alive: a pointer and a count, compared and copied a word at a
/// time.
///
/// It never owns and never outlives the operation that made it; the maker guarantees that the bytes
/// stay where they are for that long.
@safe struct BytesView {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always)
    init(start: UnsafeRawPointer, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    /// The bytes of a span that the caller keeps valid.
    @inline(__always)
    init(_ span: RawSpan) {
        // The caller of the operation keeps the span's memory valid until the operation ends.
        self = unsafe span.withUnsafeBytes { unsafe BytesView($0) }
    }

    @inline(__always)
    init(_ buffer: UnsafeRawBufferPointer) {
        let base = buffer.baseAddress
        self = unsafe BytesView(start: base ?? Self.nowhere, count: buffer.count)
    }

    static var empty: BytesView { unsafe BytesView(start: nowhere, count: 0) }

    /// An address that is never read, for views of no bytes.
    private static var nowhere: UnsafeRawPointer {
        unsafe UnsafeRawPointer(bitPattern: MemoryLayout<Int>.alignment).unsafelyUnwrapped
    }

    @inline(__always)
    var buffer: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    var bytes: [UInt8] { unsafe [UInt8](buffer) }

    @inline(__always)
    subscript(index: Int) -> UInt8 { unsafe start.load(fromByteOffset: index, as: UInt8.self) }

    /// The little-endian integer at an offset, which must lie within the bytes.
    @inline(__always)
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Integer.Type = Integer.self
    ) -> Integer {
        Integer(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: type))
    }

    @inline(__always)
    func dropFirst(_ dropped: Int) -> BytesView {
        unsafe BytesView(start: start + dropped, count: count - dropped)
    }

    @inline(__always)
    func prefix(_ kept: Int) -> BytesView { unsafe BytesView(start: start, count: kept) }

    @inline(__always)
    func copy(to target: UnsafeMutableRawPointer) {
        unsafe target.copyMemory(from: start, byteCount: count)
    }
}

extension BytesView {
    @inline(__always)
    private func word(_ offset: Int) -> UInt64 {
        unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
    }

    /// The first four bytes as a number that orders as they do; missing bytes count as zero.
    @inline(__always)
    var head: UInt32 {
        if count >= 4 { return unsafe start.loadUnaligned(as: UInt32.self).bigEndian }
        var head: UInt32 = 0
        var index = 0
        while index < count {
            head |= UInt32(self[index]) << UInt32(24 - 8 * index)
            index += 1
        }
        return head
    }

    /// Compares as unsigned bytes, a prefix before its extensions: negative, zero or positive.
    @inline(__always)
    func compare(to other: BytesView) -> Int {
        let order = compareShared(with: other)
        return order != 0 ? order : count - other.count
    }

    /// Compares as many bytes as both have.
    @inline(__always)
    func compareShared(with other: BytesView) -> Int {
        let shared = min(count, other.count)
        var index = 0
        while index + 8 <= shared {
            let mine = word(index)
            let theirs = other.word(index)
            if mine != theirs { return mine < theirs ? -1 : 1 }
            index += 8
        }
        return compareTail(with: other, from: index, to: shared)
    }

    /// Compares what is left behind whole words: again a word where there is one to overlap.
    @inline(__always)
    private func compareTail(with other: BytesView, from start: Int, to end: Int) -> Int {
        if end >= 8, start < end {
            let mine = word(end - 8)
            let theirs = other.word(end - 8)
            return mine == theirs ? 0 : mine < theirs ? -1 : 1
        }
        var index = start
        while index < end {
            let mine = self[index]
            let theirs = other[index]
            if mine != theirs { return mine < theirs ? -1 : 1 }
            index += 1
        }
        return 0
    }

    /// Where the first byte is that is zero: eight at a time, then one at a time.
    var firstZero: Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index + 8 <= count {
            let word = word(index)
            if (word &- ones) & ~word & (ones << 7) != 0 { break }
            index += 8
        }
        while index < count {
            if self[index] == 0 { return index }
            index += 1
        }
        return nil
    }

    /// The number of leading bytes that both have in common.
    func commonPrefixCount(with other: BytesView) -> Int {
        let shared = min(count, other.count)
        var index = 0
        while index + 8 <= shared {
            let difference = word(index) ^ other.word(index)
            if difference != 0 { return index + difference.leadingZeroBitCount / 8 }
            index += 8
        }
        while index < shared, self[index] == other[index] { index += 1 }
        return index
    }
}
