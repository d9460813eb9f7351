/// A record's id: 1 to 1,024 bytes of UTF-8 without control characters.
///
/// An integer counts as its decimal text, so that `1` and `"1"` are the same record. Ids are equal
/// when their bytes are equal, and order by their bytes.
public struct RecordID: Sendable {
    /// The longest id, in bytes.
    public static let maximumBytes = 1_024

    /// The id as text.
    public let text: String

    /// The id with this text.
    ///
    /// - Throws: ``StoreError`` `.invalidID`.
    public init(_ text: String) throws {
        if let problem = Identifier.problem(with: text, maximumBytes: Self.maximumBytes) {
            throw StoreError(.invalidID, "A record's id \(problem).")
        }
        self.text = text
    }

    /// The id that is a number's decimal text.
    public init(_ number: Int64) { text = String(number) }

    /// The id that a record's id field holds: text, or an integer.
    init(_ value: JSONValue) throws {
        switch value {
        case .string(let text): try self.init(text)
        case .integer(let number): self.init(number)
        default: throw StoreError(.invalidID, "A record's id is a text or an integer.")
        }
    }

    /// The id of a stored key, which a valid id once wrote.
    init(stored text: String) { self.text = text }

    /// A new id that no other device will make: a UUID of version 7 (RFC 9562).
    ///
    /// Ids that one process makes ascend, also when its clock is set back; ids of several devices
    /// order by their clocks, roughly.
    public static func make() -> RecordID { RecordIDGenerator.system.next() }
}

extension RecordID: Hashable, Comparable {
    /// Whether both ids have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.same(left.text, right.text)
    }

    /// Feeds the id to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether `left` comes first in the order of bytes.
    public static func < (left: Self, right: Self) -> Bool {
        UTF8Order.order(left.text, right.text) == .before
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
        self.text = text
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
