extension [UInt8] {
    /// Copies the bytes of a span.
    init(copying span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe Array($0) }
    }
}
