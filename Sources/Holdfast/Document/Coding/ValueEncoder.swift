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
    var elementCount: Int { unsafe state.pointee.count(of: frame) }

    func omit(_ key: some CodingKey) { unsafe state.pointee.omit(key.stringValue, of: frame) }

    @inline(__always)
    func beginField(_ name: String) throws -> Int {
        try unsafe state.pointee.beginField(name, frame)
    }

    func beginElement() throws -> Int { try unsafe state.pointee.beginElement(frame) }

    func beginScalar() throws -> Int { try unsafe state.pointee.beginScalar(frame) }

    func sideField(_ name: String, _ key: any CodingKey) -> ValueEncoder {
        do { _ = try beginField(name) } catch { unsafe state.pointee.fail(error) }
        return side(key)
    }

    func sideElement() -> ValueEncoder {
        do { _ = try beginElement() } catch { unsafe state.pointee.fail(error) }
        return side(PositionKey(elementCount - 1))
    }
}
