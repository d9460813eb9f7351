/// The name of a table: 1 to 255 bytes of UTF-8 without control characters.
///
/// Names are equal when their bytes are equal.
public struct TableName: Sendable {
    /// The longest name, in bytes.
    public static let maximumBytes = 255

    /// The name as text.
    public let text: String

    /// The name with this text.
    ///
    /// - Throws: ``StoreError`` `.invalidTableName`.
    public init(_ text: String) throws {
        if let problem = Identifier.problem(with: text, maximumBytes: Self.maximumBytes) {
            throw StoreError(.invalidTableName, "A table's name \(problem).")
        }
        self.text = text
    }

    /// The name of a stored key, which a valid name once wrote.
    init(stored text: String) { self.text = text }
}

extension TableName: Hashable, Comparable {
    /// Whether both names have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.same(left.text, right.text)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether `left` comes first in the order of bytes.
    public static func < (left: Self, right: Self) -> Bool {
        UTF8Order.order(left.text, right.text) == .before
    }
}

extension TableName: ExpressibleByStringLiteral {
    /// The name that a literal spells.
    ///
    /// - Precondition: It is a valid name; use ``init(_:)`` for text that is not in the program.
    public init(stringLiteral text: StaticString) {
        let text = text.description
        precondition(
            Identifier.problem(with: text, maximumBytes: Self.maximumBytes) == nil,
            "a table's name is 1 to 255 bytes of UTF-8 without control characters"
        )
        self.text = text
    }
}

extension TableName: CustomStringConvertible {
    /// The name as text.
    public var description: String { text }
}
