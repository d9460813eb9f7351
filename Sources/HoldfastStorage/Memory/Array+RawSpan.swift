extension [UInt8] {
    /// Calls `body` with the array's bytes, which are valid during the call.
    @inline(__always)
    func withRawSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Bytes have no other representation that reading them could show.
        try unsafe body(span.bytes)
    }

    /// Copies a span's bytes.
    @inline(__always)
    init(_ span: RawSpan) {
        self = BytesView(span).bytes
    }
}

extension KeyRange {
    /// Whether a key lies in the range.
    package func contains(_ key: RawSpan) -> Bool {
        let key = BytesView(key)
        let isAbove = lower.withRawSpan { BytesView($0).compare(to: key) <= 0 }
        return isAbove && (upper?.withRawSpan { BytesView($0).compare(to: key) > 0 } ?? true)
    }
}
