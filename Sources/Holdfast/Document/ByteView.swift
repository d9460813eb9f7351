/// Bytes that someone else keeps alive: valid only while the call that hands them out runs.
///
/// Every access is checked, so that a wrong offset stops the program instead of reading other
/// memory. What comes from disk is checked before by ``DocumentReader`` and throws.
@safe
struct ByteView {
    private let base: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { unsafe base = bytes }

    var count: Int { unsafe base.count }

    @inline(__always)
    subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < count)
        return unsafe base[position]
    }

    /// The bytes of a range.
    @inline(__always)
    subscript(range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe ByteView(UnsafeRawBufferPointer(rebasing: base[range]))
    }

    /// A little-endian integer at an offset of any alignment.
    @inline(__always)
    func load<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type,
        at position: Int
    ) -> Integer {
        let size = MemoryLayout<Integer>.size
        precondition(position >= 0 && count >= size && position <= count - size)
        return unsafe Integer(
            littleEndian: base.loadUnaligned(fromByteOffset: position, as: type)
        )
    }

    /// How many leading bytes are equal: eight at a time, then one at a time.
    func commonPrefix(with other: ByteView) -> Int {
        let shorter = min(count, other.count)
        var position = 0
        while position + 8 <= shorter,
            load(UInt64.self, at: position) == other.load(UInt64.self, at: position)
        {
            position += 8
        }
        while position < shorter, self[position] == other[position] { position += 1 }
        return position
    }

    /// Whether both hold the same bytes.
    @inline(__always)
    func isEqual(to other: ByteView) -> Bool {
        guard count == other.count else { return false }
        return count <= 16 ? isShortEqual(to: other) : isLongEqual(to: other)
    }

    /// At most 16 bytes: two words that may overlap.
    @inline(__always)
    private func isShortEqual(to other: ByteView) -> Bool {
        if count >= 8 { return isEqual(to: other, UInt64.self) }
        if count >= 4 { return isEqual(to: other, UInt32.self) }
        var position = 0
        while position < count {
            guard self[position] == other[position] else { return false }
            position += 1
        }
        return true
    }

    @inline(__always)
    private func isEqual<Word: FixedWidthInteger & BitwiseCopyable>(
        to other: ByteView,
        _ type: Word.Type
    ) -> Bool {
        let last = count - MemoryLayout<Word>.size
        return load(type, at: 0) == other.load(type, at: 0)
            && load(type, at: last) == other.load(type, at: last)
    }

    /// More than 16 bytes: 32 at a time, then the last ones, which may overlap.
    private func isLongEqual(to other: ByteView) -> Bool {
        var position = 0
        while position + 32 <= count {
            var difference: UInt64 = 0
            for word in 0..<4 {
                difference |= differing(other, at: position + 8 * word)
            }
            if difference != 0 { return false }
            position += 32
        }
        while position + 8 < count {
            if differing(other, at: position) != 0 { return false }
            position += 8
        }
        return differing(other, at: count - 8) == 0
    }

    @inline(__always)
    private func differing(_ other: ByteView, at position: Int) -> UInt64 {
        load(UInt64.self, at: position) ^ other.load(UInt64.self, at: position)
    }

    /// The order of two byte strings, bytes unsigned, a prefix first.
    func order(to other: ByteView) -> ValueOrder {
        let common = commonPrefix(with: other)
        guard common < count, common < other.count else { return ValueOrder(count, other.count) }
        return ValueOrder(self[common], other[common])
    }

    /// Whether a byte is 0 or 1.
    var containsByteBelow2: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = 0
        while position + 8 <= count {
            let word = load(UInt64.self, at: position)
            if (word &- 2 &* ones) & ~word & (ones << 7) != 0 { return true }
            position += 8
        }
        while position < count {
            if self[position] < 2 { return true }
            position += 1
        }
        return false
    }

    /// Whether there are 1 to 1,024 bytes, all of them printable ASCII: an id without more ado.
    var isPlainASCII: Bool {
        guard 1...RecordID.maximumBytes ~= count else { return false }
        for position in 0..<count where self[position] &- 0x20 >= 0x5F { return false }
        return true
    }

    /// Runs `body` on the bytes as a span.
    @inline(__always)
    func withRawSpan(_ body: (RawSpan) -> Void) { body(unsafe base.bytes) }

    /// The bytes as text, or `nil` where they are not UTF-8.
    ///
    /// Bytes that had to be repaired differ from what was made of them. This is four times as fast
    /// as `String(validating:as:)`, which is not specialised.
    @inline(__always)
    var text: String? {
        let text = unsafe String(decoding: base, as: UTF8.self)
        return text.withByteView { $0.isEqual(to: self) } ? text : nil
    }

    /// A copy of the bytes.
    var array: [UInt8] { unsafe Array(base) }

    /// Copies the bytes to memory that has room for them.
    @unsafe
    @inline(__always)
    func copy(to memory: UnsafeMutableRawPointer) {
        guard let start = unsafe base.baseAddress else { return }
        unsafe memory.copyMemory(from: start, byteCount: count)
    }

    /// Appends the bytes to an array.
    @inline(__always)
    func append(to bytes: inout [UInt8]) {
        unsafe bytes.append(contentsOf: base)
    }
}

extension String {
    /// Runs `body` on the text's UTF-8 bytes.
    @inline(__always)
    func withByteView<Success, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let run = { (bytes: UnsafeBufferPointer<UInt8>) in
            Result { () throws(Failure) in
                try body(unsafe ByteView(UnsafeRawBufferPointer(bytes)))
            }
        }
        if let result = unsafe utf8.withContiguousStorageIfAvailable(run) {
            return try result.get()
        }
        // A text that is not Swift's own, as Objective-C has them, is copied first.
        var copy = self
        return try copy.withUTF8(run).get()
    }
}

extension RawSpan {
    /// Runs `body` on the bytes.
    @inline(__always)
    func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBytes { (bytes) throws(Failure) in try unsafe body(ByteView(bytes)) }
    }
}

extension [UInt8] {
    /// Runs `body` on the bytes.
    @inline(__always)
    func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe span.bytes.withByteView(body)
    }
}
