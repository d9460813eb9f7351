/// What an encoder and all its containers write to.
///
/// A frame is a value that is being written; frames are in each other, and only the innermost can
/// be written to. Containers that an app asks for by `nestedContainer` and `superEncoder` may be
/// written to at any time, so that each of them has a state of its own and leaves a placeholder.
struct EncodingState: ~Copyable {
    var writer = DocumentWriter()
    /// The innermost frame, which every write goes to.
    private var innermost: EncodingFrame
    /// The frames around it, and the key that leads from each to the next one.
    private var outer: [(frame: EncodingFrame, key: any CodingKey)] = []
    /// The keys that lead to the outermost frame.
    private let basePath: [any CodingKey]
    /// Whether the outermost frame is the record itself.
    private let isRecord: Bool
    /// The states beside this one.
    ///
    /// The record's state owns them, and those states borrow them.
    private var ownedSides: EncodingSides?
    private unowned var sharedSides: EncodingSides?
    /// Fields of the record that the type's coding named and left out.
    private(set) var omittedFields: [String] = []
    /// What a method that cannot throw found wrong.
    private var failure: (any Error)?

    /// The state of a record, or of a value beside one.
    init(basePath: [any CodingKey] = [], beside sides: EncodingSides? = nil) {
        isRecord = sides == nil
        self.basePath = basePath
        sharedSides = sides
        innermost = EncodingFrame(start: writer.buffer.count)
    }

    /// The keys that lead to a frame.
    func path(to frame: Int) -> [any CodingKey] { basePath + outer.prefix(frame).map(\.key) }

    /// How many elements a frame has.
    func count(of frame: Int) -> Int {
        frame < outer.count ? outer[frame].frame.count : innermost.count
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

    mutating func omit(_ field: String, of frame: Int) {
        if isRecord, frame == 0 { omittedFields.append(field) }
    }

    /// Ends the outermost frame.
    mutating func finish() throws {
        if let failure { throw failure }
        guard isRecord else { return try close(innermost) }
        if innermost.shape == .array || innermost.shape == .scalar {
            throw misuse("A record has to be encoded as an object.", of: 0)
        }
    }

    /// The document, complete.
    mutating func document() throws -> [UInt8] {
        try finish()
        return try ownedSides?.resolve(writer) ?? writer.finish()
    }

    private func misuse(_ message: String, of frame: Int) -> EncodingError {
        .invalidValue(message, .init(message, at: path(to: frame)))
    }
}

extension EncodingState {
    /// How many values may be written inside each other; more than documents may nest, because
    /// values that stand for others, such as optionals, count too.
    private static let frameLimit = 2 * Document.nestingLimit

    /// Begins a value inside the innermost frame.
    ///
    /// - Returns: The new frame.
    mutating func push(_ key: any CodingKey) throws -> Int {
        guard outer.count < Self.frameLimit else { throw JSONError.nestedTooDeep }
        outer.append((innermost, key))
        innermost = EncodingFrame(start: writer.buffer.count)
        return outer.count
    }

    /// Ends the innermost value.
    mutating func pop() throws {
        let ended = innermost
        if let last = outer.popLast() { innermost = last.frame }
        try close(ended)
    }

    /// Takes back all that was written since `position` and all frames inside `frame`.
    mutating func rollBack(to position: Int, in frame: Int) {
        while outer.count > frame, let last = outer.popLast() {
            if innermost.shape == .array || innermost.shape == .object { writer.abandon() }
            innermost = last.frame
        }
        if position <= writer.buffer.count { writer.buffer.truncate(to: position) }
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
        if innermost.shape == shape { return }
        guard innermost.shape == .unknown else {
            throw misuse("A value is encoded as two different things.", of: frame)
        }
        if isRecord, frame == 0 {
            innermost.contentStart = innermost.start
        } else {
            let tag = shape == .array ? DocumentTag.array : DocumentTag.object
            innermost.contentStart = try writer.open(tag)
        }
        innermost.shape = shape
    }

    /// Makes a frame a single value, which is written next.
    ///
    /// - Returns: Where it begins.
    mutating func beginScalar(_ frame: Int) throws -> Int {
        try checkIsInnermost(frame)
        guard innermost.shape == .unknown else {
            throw misuse("A value is encoded as two different things.", of: frame)
        }
        innermost.shape = .scalar
        return writer.buffer.count
    }

    /// Makes a frame's shape unknown again, before anything was written.
    mutating func reopen() { innermost.shape = .unknown }

    /// - Returns: Where the element begins.
    mutating func beginElement(_ frame: Int) throws -> Int {
        try checkIsInnermost(frame)
        innermost.count += 1
        return writer.buffer.count
    }

    /// Writes the name of a field, whose value is written next.
    ///
    /// - Returns: Where the field begins.
    @inline(__always)
    mutating func beginField(_ name: String, _ frame: Int) throws -> Int {
        try checkIsInnermost(frame)
        let start = writer.buffer.count
        let isNew = name.withByteView { name in
            let bit = name.mark
            guard innermost.namesSeen & bit == 0 else { return false }
            innermost.namesSeen |= bit
            writer.append(name: name)
            return true
        }
        return isNew ? start : try beginFieldAgain(name)
    }

    /// Writes a name that may be there already: then the later value counts.
    private mutating func beginFieldAgain(_ name: String) throws -> Int {
        let start = innermost.contentStart
        let field = try writer.buffer.withByteView { (bytes) throws in
            var reader = try DocumentReader(bytes)
            reader.position = start
            return try name.withByteView { (name) throws in try reader.findField(name) }
        }
        if let field { writer.buffer.remove(field) }
        let newStart = writer.buffer.count
        writer.append(name: name)
        return newStart
    }

    @inline(__always)
    private func checkIsInnermost(_ frame: Int) throws {
        if frame != outer.count {
            throw misuse("A container is used while a value inside it is encoded.", of: frame)
        }
    }
}

extension ByteView {
    /// One of 64 bits, the same for the same bytes.
    fileprivate var mark: UInt64 {
        guard count > 0 else { return 1 }
        return 1 << UInt64((count &+ 7 &* Int(self[0]) &+ 31 &* Int(self[count - 1])) & 63)
    }
}
