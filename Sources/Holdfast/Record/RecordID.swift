/// A record's id: 1 to 1,024 bytes of UTF-8 without control characters.
///
/// An integer counts as its decimal text, so that `1` and `"1"` are the same record. Ids are equal
/// when their bytes are equal, and order by their bytes.
public struct RecordID: Sendable {
    /// The longest id, in bytes.
    public static let maximumBytes = 1_024

    /// What the id is made of: one text is always held in one way.
    private enum Content: Sendable {
        /// The text of a UUID in lower case, as most ids are: it needs no memory of its own.
        case uuid(PackedUUID)
        case text(String)
    }

    private let content: Content

    /// The id as text.
    public var text: String {
        switch content {
        case .uuid(let uuid): PackedText.uuid(uuid).text
        case .text(let text): text
        }
    }

    /// The id with this text.
    ///
    /// - Throws: ``StoreError`` `.invalidID`.
    public init(_ text: String) throws {
        if let problem = Identifier.problem(with: text, maximumBytes: Self.maximumBytes) {
            throw StoreError(.invalidID, "A record's id \(problem).")
        }
        self.init(stored: text)
    }

    /// The id that is a number's decimal text.
    public init(_ number: Int64) { content = .text(String(number)) }

    /// The id that is a UUID's text.
    init(_ uuid: PackedUUID) { content = .uuid(uuid) }

    /// The id that a record's id field holds: text, or an integer.
    init(_ value: JSONValue) throws {
        switch value {
        case .string(let text): try self.init(text)
        case .integer(let number): self.init(number)
        default: throw StoreError(.invalidID, "A record's id is a text or an integer.")
        }
    }

    /// The id of a stored key, which a valid id once wrote.
    init(stored text: String) {
        content = text.withByteView { PackedUUID($0) }.map { .uuid($0) } ?? .text(text)
    }

    /// The UUID whose text the id is; `nil` for any other text.
    var uuid: PackedUUID? {
        if case .uuid(let uuid) = content { uuid } else { nil }
    }

    /// A new id that no other device will make: a UUID of version 7 (RFC 9562).
    ///
    /// Ids that one process makes ascend, also when its clock is set back; ids of several devices
    /// order by their clocks, roughly.
    public static func make() -> RecordID { RecordIDGenerator.system.next() }
}

extension RecordID: Hashable, Comparable {
    /// Whether both ids have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.content, right.content) {
        case (.uuid(let left), .uuid(let right)): left == right
        case (.text(let left), .text(let right)): UTF8Order.same(left, right)
        default: false
        }
    }

    /// Feeds the id to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .uuid(let uuid): hasher.combine(uuid)
        case .text(let text): hasher.combine(text)
        }
    }

    /// Whether `left` comes first in the order of bytes.
    public static func < (left: Self, right: Self) -> Bool {
        if let first = left.uuid, let second = right.uuid { return first < second }
        return UTF8Order.order(left.text, right.text) == .before
    }
}

extension RecordID: ExpressibleByStringLiteral {
    /// The id that a literal spells.
    ///
    /// - Precondition: It is a valid id; use ``init(_:)-(String)`` for text that is not in the
    ///   program.
    public init(stringLiteral text: StaticString) {
        let text = text.description
        precondition(
            Identifier.problem(with: text, maximumBytes: Self.maximumBytes) == nil,
            "a record's id is 1 to 1,024 bytes of UTF-8 without control characters"
        )
        self.init(stored: text)
    }
}

extension RecordID: Codable {
    /// Reads an id: a text or an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self.init(number)
        } else {
            try self.init(container.decode(String.self))
        }
    }

    /// Writes the id as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension RecordID: CustomStringConvertible {
    /// The id as text.
    public var description: String { text }
}
