/// Encodes an app's values straight to documents.
package enum DocumentEncoder {
    /// The document of a value, which has to encode as an object.
    ///
    /// `Date` becomes its RFC 3339 text in UTC with nine digits of fraction, `UUID` its lower-case
    /// text, `Data` its base64 text, `URL` its absolute text. Of a field that is encoded twice the
    /// later value counts.
    ///
    /// - Throws: `EncodingError` with the coding path where a value cannot be stored: a number that is
    ///   not finite or outside 64 bits, a date outside the years 0 to 9999, a value that is not an
    ///   object; ``JSONError`` where it is nested too deep or too long; what the type's own
    ///   `encode(to:)` throws.
    package static func encode(_ value: some Encodable) throws -> EncodedDocument {
        var state = EncodingState()
        try unsafe withUnsafeMutablePointer(to: &state) { state in
            try value.encode(to: unsafe ValueEncoder(state: state, frame: 0))
        }
        return EncodedDocument(bytes: try state.document(), omittedFields: state.omittedFields)
    }
}

/// A document that a value was encoded to.
package struct EncodedDocument: Sendable {
    /// The document.
    package let bytes: [UInt8]
    /// The fields that the type's coding named and left out, because they are `nil`.
    package let omittedFields: [String]
}

/// The `Encoder` of one value: a frame of a state.
///
/// It is valid until `encode(to:)` of the value that got it returns.
@safe
struct ValueEncoder: Encoder {
    let state: UnsafeMutablePointer<EncodingState>
    let frame: Int

    init(state: UnsafeMutablePointer<EncodingState>, frame: Int) {
        unsafe self.state = state
        self.frame = frame
    }

    var codingPath: [any CodingKey] { unsafe state.pointee.path(to: frame) }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.object)
        return KeyedEncodingContainer(KeyedValueEncoder(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array)
        return UnkeyedValueEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func open(_ shape: EncodingFrame.Shape) {
        do {
            try unsafe state.pointee.open(shape, in: frame)
        } catch {
            unsafe state.pointee.fail(error)
        }
    }

    /// An encoder beside the state, for a value that may be written at any time.
    private func side(_ key: any CodingKey) -> ValueEncoder {
        let path = codingPath + [key]
        return unsafe state.pointee.makeSides().makeEncoder(
            path: path,
            placeholderIn: &state.pointee.writer
        )
    }
}

extension ValueEncoder {
    var elementCount: Int { unsafe state.pointee.frames[frame].count }

    func omit(_ key: some CodingKey) { unsafe state.pointee.omit(key.stringValue, of: frame) }

    @inline(__always)
    func beginField(_ name: String) throws -> Int {
        try unsafe state.pointee.beginField(name, frame)
    }

    func beginElement() throws -> Int {
        try unsafe state.pointee.beginElement(frame)
        return unsafe state.pointee.writer.buffer.count
    }

    func beginScalar() throws -> Int {
        try unsafe state.pointee.beginScalar(frame)
        return unsafe state.pointee.writer.buffer.count
    }

    func sideField(_ name: String, _ key: any CodingKey) -> ValueEncoder {
        do { _ = try beginField(name) } catch { unsafe state.pointee.fail(error) }
        return side(key)
    }

    func sideElement() -> ValueEncoder {
        do { _ = try beginElement() } catch { unsafe state.pointee.fail(error) }
        return side(PositionKey(elementCount - 1))
    }
}
