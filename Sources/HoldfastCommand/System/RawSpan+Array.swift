extension RawSpan {
    /// The bytes, copied.
    var array: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe Array(bytes) } }
}
