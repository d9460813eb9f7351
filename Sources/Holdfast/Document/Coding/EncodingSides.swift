/// The states of containers that may be written to at any time.
///
/// Each left a placeholder where its value belongs: a long text of four bytes, its index. No writer
/// makes a text of less than 128 bytes a long one.
final class EncodingSides {
    private var encoders: [ValueEncoder] = []

    deinit {
        for encoder in encoders {
            unsafe encoder.state.deinitialize(count: 1)
            unsafe encoder.state.deallocate()
        }
    }

    /// Makes the encoder of a new state, and leaves its placeholder in `writer`.
    func makeEncoder(
        path: [any CodingKey],
        placeholderIn writer: inout DocumentWriter
    ) -> ValueEncoder {
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncodingState(basePath: path, beside: self))
        writer.buffer.append(DocumentTag.longText)
        writer.buffer.append(integer: 4 as UInt32)
        writer.buffer.append(integer: UInt32(truncatingIfNeeded: encoders.count))
        let encoder = unsafe ValueEncoder(state: state, frame: 0)
        encoders.append(encoder)
        return encoder
    }

    /// The document with each placeholder replaced by what was written to its state.
    func resolve(_ document: borrowing DocumentWriter) throws -> [UInt8] {
        for encoder in encoders { try unsafe encoder.state.pointee.finish() }
        var resolved = DocumentWriter()
        try document.buffer.withByteView { (bytes) throws in
            var reader = try DocumentReader(bytes)
            try resolveFields(&reader, into: &resolved)
        }
        return try resolved.finish()
    }

    private func resolveFields(
        _ reader: inout DocumentReader,
        into writer: inout DocumentWriter
    ) throws {
        while reader.hasMore {
            writer.append(name: reader.bytes[try reader.takeName()])
            try resolveValue(&reader, into: &writer)
        }
    }

    private func resolveValue(
        _ reader: inout DocumentReader,
        into writer: inout DocumentWriter
    ) throws {
        let start = reader.position
        let tag = try reader.take(UInt8.self)
        switch tag {
        case DocumentTag.array, DocumentTag.object:
            var content = try reader.takeContainer()
            let contentStart = try writer.open(tag)
            if tag == DocumentTag.object {
                try resolveFields(&content, into: &writer)
            } else {
                while content.hasMore { try resolveValue(&content, into: &writer) }
            }
            try writer.close(contentStart)
        case DocumentTag.longText:
            if let index = try placeholder(&reader) {
                try unsafe encoders[index].state.pointee.writer.buffer.withByteView {
                    (bytes) throws in
                    var side = try DocumentReader(bytes)
                    try resolveValue(&side, into: &writer)
                }
                return
            }
            fallthrough
        default:
            reader.position = start
            try reader.skipValue()
            writer.buffer.append(reader.bytes[start..<reader.position])
        }
    }

    private func placeholder(_ reader: inout DocumentReader) throws(DocumentError) -> Int? {
        guard try reader.take(UInt32.self) == 4 else { return nil }
        return Int(try reader.take(UInt32.self))
    }
}
