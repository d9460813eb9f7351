/// What an encoder and all its containers write to.
///
/// A frame is a value that is being written; frames are in each other, and only the innermost can
/// be written to. Containers that an app asks for by `nestedContainer` and `superEncoder` may be
/// written to at any time, so that each of them has a state of its own and leaves a placeholder.
struct EncodingState: ~Copyable {
    var writer = DocumentWriter()
    private(set) var frames: [EncodingFrame]
    /// The key of each frame but the first.
    private var keys: [any CodingKey] = []
    /// The keys that lead to the first frame.
    let basePath: [any CodingKey]
    /// The states beside this one. The record's state owns them, those states borrow them.
    private var ownedSides: EncodingSides?
    private unowned var sharedSides: EncodingSides?
    /// Whether the first frame is the record itself.
    let isRecord: Bool
    /// Fields of the record that the type's coding named and left out.
    private(set) var omittedFields: [String] = []
    /// What a method that cannot throw found wrong.
    private var failure: (any Error)?

    /// The state of a record, or of a value beside one.
    init(basePath: [any CodingKey] = [], beside sides: EncodingSides? = nil) {
        isRecord = sides == nil
        self.basePath = basePath
        sharedSides = sides
        frames = [EncodingFrame(start: writer.buffer.count)]
        frames.reserveCapacity(8)
    }

    /// The keys that lead to a frame.
    func path(to frame: Int) -> [any CodingKey] { basePath + keys.prefix(frame) }

    func invalid(_ value: Any, _ message: String, in frame: Int) -> EncodingError {
        .invalidValue(value, .init(codingPath: path(to: frame), debugDescription: message))
    }

    /// Remembers what is wrong, so that the whole encoding throws at its end.
    mutating func fail(_ error: any Error) { failure = failure ?? error }

    /// The states beside this one, made when the first is needed.
    mutating func makeSides() -> EncodingSides {
        if let sharedSides { return sharedSides }
        let sides = EncodingSides()
        ownedSides = sides
        sharedSides = sides
        return sides
    }

    /// The document, complete.
    mutating func document() throws -> [UInt8] {
        try finish()
        return try ownedSides?.resolve(writer) ?? writer.finish()
    }

    mutating func omit(_ field: String, of frame: Int) {
        if isRecord, frame == 0 { omittedFields.append(field) }
    }
}

/// A value that is being written.
struct EncodingFrame {
    /// What the value turned out to be.
    enum Shape {
        case unknown
        case scalar
        case array
        case object
    }

    /// Where its tag is, or where the fields of a record begin.
    let start: Int
    var shape = Shape.unknown
    /// Where the content of an array or an object begins.
    var contentStart = 0
    /// How many elements an array has.
    var count = 0
    /// A bit for each field name so far, so that most names are known to be new at once.
    var namesSeen: UInt64 = 0
}

extension EncodingState {
    /// How many values may be written inside each other; more than documents may nest, because
    /// values that stand for others, such as optionals, count too.
    private static let frameLimit = 2 * Document.nestingLimit

    /// Begins a value inside the innermost frame.
    ///
    /// - Returns: The new frame.
    mutating func push(_ key: any CodingKey) throws -> Int {
        guard frames.count < Self.frameLimit else { throw JSONError.nestedTooDeep }
        keys.append(key)
        frames.append(EncodingFrame(start: writer.buffer.count))
        return frames.count - 1
    }

    /// Ends the innermost value.
    mutating func pop() throws {
        let frame = frames.removeLast()
        keys.removeLast()
        try close(frame)
    }

    /// Takes back all that was written since `position` and all frames inside `frame`.
    mutating func rollBack(to position: Int, in frame: Int) {
        while frames.count > frame + 1 {
            let inner = frames.removeLast()
            keys.removeLast()
            if inner.shape == .array || inner.shape == .object { writer.abandon() }
        }
        writer.buffer.truncate(to: position)
    }

    /// Ends the first frame.
    mutating func finish() throws {
        if let failure { throw failure }
        guard isRecord else { return try close(frames[0]) }
        if frames[0].shape == .array || frames[0].shape == .scalar {
            throw invalid(self.isRecord, "A record has to be encoded as an object.", in: 0)
        }
    }

    private mutating func close(_ frame: EncodingFrame) throws {
        switch frame.shape {
        case .unknown: try writer.close(writer.open(DocumentTag.object))
        case .scalar: break
        case .array, .object: try writer.close(frame.contentStart)
        }
    }

    /// Makes a frame an array or an object, unless it is one already.
    mutating func open(_ shape: EncodingFrame.Shape, in frame: Int) throws {
        try checkIsInnermost(frame)
        if frames[frame].shape == shape { return }
        guard frames[frame].shape == .unknown else {
            throw invalid(shape, "A value is encoded as two different things.", in: frame)
        }
        if isRecord, frame == 0 {
            frames[0].contentStart = frames[0].start
        } else {
            let tag = shape == .array ? DocumentTag.array : DocumentTag.object
            frames[frame].contentStart = try writer.open(tag)
        }
        frames[frame].shape = shape
    }

    /// Makes a frame a single value, which is written next.
    mutating func beginScalar(_ frame: Int) throws {
        try checkIsInnermost(frame)
        guard frames[frame].shape == .unknown else {
            throw invalid("", "A value is encoded as two different things.", in: frame)
        }
        frames[frame].shape = .scalar
    }

    /// Makes a frame's shape unknown again, before anything was written.
    mutating func reopen(_ frame: Int) { frames[frame].shape = .unknown }

    mutating func beginElement(_ frame: Int) throws {
        try checkIsInnermost(frame)
        frames[frame].count += 1
    }

    /// Writes the name of a field, whose value is written next.
    ///
    /// - Returns: Where the field begins.
    @inline(__always)
    mutating func beginField(_ name: String, _ frame: Int) throws -> Int {
        try checkIsInnermost(frame)
        let bit = name.withByteView(\.mark)
        if frames[frame].namesSeen & bit != 0 { try removeField(name, of: frame) }
        frames[frame].namesSeen |= bit
        let start = writer.buffer.count
        writer.append(name: name)
        return start
    }

    private func checkIsInnermost(_ frame: Int) throws {
        if frame == frames.count - 1 { return }
        throw invalid(frame, "A container is used while a value inside it is encoded.", in: frame)
    }

    /// Removes a field that is encoded a second time: the later value counts.
    private mutating func removeField(_ name: String, of frame: Int) throws {
        let start = frames[frame].contentStart
        let field = try writer.buffer.withByteView { (bytes) throws in
            var reader = try DocumentReader(bytes)
            reader.position = start
            return try name.withByteView { (name) throws in try reader.findField(name) }
        }
        if let field { writer.buffer.remove(field) }
    }
}

extension ByteView {
    /// One of 64 bits, the same for the same bytes.
    fileprivate var mark: UInt64 {
        guard count > 0 else { return 1 }
        return 1 << UInt64((count &+ 7 &* Int(self[0]) &+ 31 &* Int(self[count - 1])) & 63)
    }
}
