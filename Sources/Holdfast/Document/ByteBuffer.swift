/// Bytes that are written one after the other, faster than an array takes them.
@safe
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 256) {
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit { unsafe base.deallocate() }

    /// Forgets what was written behind the first `count` bytes.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// Removes a range of what was written.
    mutating func remove(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        unsafe (base + range.lowerBound).copyMemory(
            from: base + range.upperBound,
            byteCount: count - range.upperBound
        )
        count -= range.count
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends an integer, little-endian.
    @inline(__always)
    mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(integer: Integer) {
        reserve(MemoryLayout<Integer>.size)
        unsafe base.storeBytes(of: integer.littleEndian, toByteOffset: count, as: Integer.self)
        count += MemoryLayout<Integer>.size
    }

    @inline(__always)
    mutating func append(_ bytes: ByteView) {
        reserve(bytes.count)
        unsafe bytes.copy(to: base + count)
        count += bytes.count
    }

    /// Appends a byte and what follows it.
    @inline(__always)
    mutating func append(_ byte: UInt8, _ bytes: ByteView) {
        reserve(1 + bytes.count)
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        unsafe bytes.copy(to: base + (count + 1))
        count += 1 + bytes.count
    }

    /// Appends `count` bytes that `write` fills in.
    @inline(__always)
    mutating func append(count added: Int, _ write: (inout MutableSpan<UInt8>) -> Void) {
        reserve(added)
        unsafe (base + count).initializeMemory(as: UInt8.self, repeating: 0, count: added)
        var span = unsafe MutableSpan<UInt8>(
            _unsafeStart: (base + count).assumingMemoryBound(to: UInt8.self),
            count: added
        )
        write(&span)
        count += added
    }

    /// Replaces the four bytes at an offset by an integer, little-endian.
    @inline(__always)
    mutating func replace(at position: Int, with integer: UInt32) {
        precondition(position >= 0 && position <= count - 4)
        unsafe base.storeBytes(
            of: integer.littleEndian,
            toByteOffset: position,
            as: UInt32.self
        )
    }

    /// A copy of what was written.
    var array: [UInt8] { withByteView(\.array) }

    /// Runs `body` on what was written.
    @inline(__always)
    func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe ByteView(UnsafeRawBufferPointer(start: base, count: count)))
    }

    @inline(__always)
    private mutating func reserve(_ added: Int) {
        if capacity - count < added { grow(by: added) }
    }

    private mutating func grow(by added: Int) {
        capacity = max(2 * capacity, count + added)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = larger
    }
}
