/// What a decoder and all its containers read from.
@safe
struct DecodingState {
    /// The document, and what completes it behind it.
    private(set) var bytes: ByteView
    /// Where the document ends.
    let end: Int
    private var completion: RecordCompletion?
    /// The keys that lead to the value whose `init(from:)` runs.
    private(set) var path: [any CodingKey] = []
    /// The fields that the containers of objects were asked for, where they are to be known.
    var fieldsAsked: KnownFields?
    /// Where the object begins that a field was last found in, and where that field ended.
    ///
    /// Types ask for their fields in the order in which they wrote them, so that the next one is
    /// nearly always right there.
    private var lastObject = -1
    private(set) var lastEnd = 0

    init(
        _ bytes: ByteView,
        completion: RecordCompletion? = nil,
        recordsFieldsAsked: Bool = false
    ) {
        self.bytes = bytes
        self.completion = completion
        end = bytes.count
        fieldsAsked = recordsFieldsAsked ? KnownFields() : nil
    }

    /// A reader of what lies between two offsets.
    @inline(__always)
    func reader(_ range: Range<Int>) -> DocumentReader { DocumentReader(bytes, range, depth: 0) }

    /// A reader of the value at an offset.
    @inline(__always)
    func reader(at position: Int) -> DocumentReader { reader(position..<bytes.count) }

    /// Finds the value of a field of the object that lies in `object`.
    mutating func find(_ name: String, in object: Range<Int>) throws(DocumentError) -> Int? {
        let resume = lastObject == object.lowerBound ? lastEnd : object.lowerBound
        return try name.withByteView { (name) throws(DocumentError) in
            let ahead = try find(name, from: resume, to: object.upperBound, of: object)
            if ahead != nil { return ahead }
            return try find(name, from: object.lowerBound, to: resume, of: object)
        }
    }

    @inline(__always)
    private mutating func find(
        _ name: ByteView,
        from start: Int,
        to end: Int,
        of object: Range<Int>
    ) throws(DocumentError) -> Int? {
        var reader = reader(start..<end)
        guard try reader.find(name) else { return nil }
        let value = reader.position
        try reader.skipValue()
        remember(object, reader.position)
        return value
    }

    /// Finds a field that an object of the document lacks in what completes it, by the keys that
    /// lead to the object.
    ///
    /// - Returns: Where its value is.
    mutating func complete(
        _ name: String,
        in object: Range<Int>,
        at path: [any CodingKey]
    ) throws(DocumentError) -> Int? {
        guard completion != nil else { return nil }
        if path.isEmpty, completion?.isID(name) == true { return nil }
        if let extended = completion?.extend(bytes) { bytes = extended }
        guard bytes.count > end else { return nil }
        var reader = reader(end + 1..<bytes.count)
        for key in path {
            guard try reader.find(key.stringValue) else { return nil }
            guard try reader.take(UInt8.self) == DocumentTag.object else { return nil }
            reader = try reader.takeContainer()
        }
        guard try reader.find(name) else { return nil }
        if lastObject != object.lowerBound { remember(object, object.lowerBound) }
        return reader.position
    }

    /// Gives back what was made for the decoding; nothing is read from it any more.
    func free() { completion?.free() }

    /// Sets where the search for the next field of an object begins.
    mutating func remember(_ object: Range<Int>, _ end: Int) {
        lastObject = object.lowerBound
        lastEnd = end
    }

    /// Decodes a value inside the one that is decoded, under its key.
    ///
    /// Where the container that asks was made by `nestedContainer` or `superDecoder`, `path` leads
    /// to it.
    mutating func enter(_ key: any CodingKey, path: [any CodingKey]?) throws -> SavedPath {
        try Self.checkDepth((path ?? self.path).count + 1)
        let saved = SavedPath(whole: path == nil ? nil : self.path)
        if let path { self.path = path }
        self.path.append(key)
        return saved
    }

    mutating func leave(_ saved: SavedPath) {
        if let whole = saved.whole {
            path = whole
        } else {
            path.removeLast()
        }
    }

    /// Refuses values that would exhaust the stack of a type that recurses.
    static func checkDepth(_ depth: Int) throws(DocumentError) {
        guard depth <= 2 * Document.nestingLimit else {
            throw DocumentError(reason: .nestingTooDeep, offset: 0)
        }
    }
}

/// The path to go back to; `nil` where the last key has to go.
struct SavedPath {
    let whole: [any CodingKey]?
}

extension DocumentReader {
    /// Moves to the value of the next field with a name, and says whether there is one.
    fileprivate mutating func find(_ name: String) throws(DocumentError) -> Bool {
        var found = self
        let isFound = try name.withByteView { (name) throws(DocumentError) in
            try found.find(name)
        }
        self = found
        return isFound
    }
}
