extension RecordID {
    /// The number of bytes of its text.
    package var byteCount: Int {
        uuid == nil ? text.utf8.count : PackedUUID.textLength
    }

    /// Appends the bytes of its text, without making the text first.
    package func append(to bytes: inout [UInt8]) {
        guard let uuid else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        var text = InlineArray<36, UInt8>(repeating: 0)
        var span = text.mutableSpan
        uuid.write(to: &span)
        unsafe text.span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
