/// A growable run of bytes with one owner, for building frames.
///
/// An array would do, but for the checks for uniqueness and the loss of `memcpy` on every append of
/// a span, which stand on the path of each commit.
@safe
struct ByteBuffer: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 512) {
        unsafe storage = .allocate(byteCount: max(capacity, 64), alignment: 16)
    }

    deinit { unsafe storage.deallocate() }

    mutating func append(_ bytes: RawSpan) {
        reserve(bytes.byteCount)
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(
                from: source
            )
        }
        count += bytes.byteCount
    }

    mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
        let width = MemoryLayout<Integer>.size
        reserve(width)
        unsafe storage.storeBytes(of: value.littleEndian, toByteOffset: count, as: Integer.self)
        count += width
    }

    /// Appends an unsigned number in LEB128: seven bits a byte, the lowest first.
    mutating func append(varint value: Int) { append(varint: UInt64(value)) }

    /// Appends an unsigned number in LEB128.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func appendZeros(_ zeros: Int) {
        reserve(zeros)
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + zeros])
            .initializeMemory(as: UInt8.self, repeating: 0)
        count += zeros
    }

    /// Appends zeros and lends them to be written over.
    @unsafe
    mutating func appendZeros(_ zeros: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        let start = count
        appendZeros(zeros)
        if let base = unsafe storage.baseAddress { unsafe body(base + start) }
    }

    /// Appends zeros up to a multiple of eight bytes.
    mutating func align() { appendZeros((8 - count & 7) & 7) }

    mutating func overwrite<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ value: Integer,
        at offset: Int
    ) {
        precondition(offset >= 0 && offset + MemoryLayout<Integer>.size <= count)
        unsafe storage.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Integer.self)
    }

    /// Gives up everything behind `length`.
    mutating func truncate(to length: Int) {
        precondition(length <= count)
        count = length
    }

    /// Lends the bytes of a range.
    borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>,
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.upperBound <= count)
        return try body(
            unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: storage[range]))
        )
    }

    /// Appends the bytes to an array.
    borrowing func copy(to array: inout [UInt8]) {
        unsafe array.append(contentsOf: UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// Fills the buffer with what stands in a file, in place of what it held.
    ///
    /// - Returns: Nothing; `count` is less than `length` where the file ends before.
    mutating func fill(
        from file: any File,
        at offset: UInt64,
        count length: Int
    ) throws(SystemCallError) {
        count = 0
        reserve(length)
        count = try unsafe file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: storage[..<length]),
            at: offset
        )
    }

    /// Appends what stands in a file.
    ///
    /// - Returns: The bytes appended, less than `length` where the file ends before.
    mutating func append(
        from file: any File,
        at offset: UInt64,
        count length: Int
    ) throws(SystemCallError) -> Int {
        reserve(length)
        let added = try unsafe file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + length]),
            at: offset
        )
        count += added
        return added
    }

    /// Appends a value that a cache holds.
    ///
    /// - Returns: Whether the cache holds it.
    mutating func append(cached location: EntryLocation, from cache: ValueCache) -> Bool {
        reserve(Int(location.length))
        let added = unsafe cache.copyValue(
            at: location,
            to: UnsafeMutableRawBufferPointer(rebasing: storage[count...])
        )
        count += added ?? 0
        return added != nil
    }

    private mutating func reserve(_ more: Int) {
        guard unsafe count + more > storage.count else { return }
        let capacity = unsafe max(storage.count * 2, count + more)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        unsafe storage.deallocate()
        unsafe storage = larger
    }
}
