extension RawSpan {
    /// The byte at a position, which is checked to be inside.
    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: position, as: UInt8.self)
    }

    /// Where these bytes stand to others, bytes unsigned, a prefix first.
    func order(to other: [UInt8]) -> ValueOrder {
        withByteView { bytes in other.withByteView { bytes.order(to: $0) } }
    }

    /// Whether these bytes are the same as others.
    func equals(_ other: [UInt8]) -> Bool {
        withByteView { bytes in other.withByteView { bytes.isEqual(to: $0) } }
    }

    /// Appends the bytes.
    func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// A copy of the bytes.
    var array: [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }

    /// The bytes of a range as text; what is not UTF-8 becomes U+FFFD.
    func text(in range: Range<Int>) -> String {
        unsafe extracting(range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// Runs `body` on the bytes, which are valid during the call.
    @inline(__always)
    func withRawSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(span.bytes)
    }
}
