/// A secondary index of a table: fields, most significant first, and what they are indexed for.
///
/// ```swift
/// Index("isPinned", "updatedAt")
/// Index("email", unique: true)
/// Index(words: "title", "body")
/// ```
///
/// An ordered index makes queries fast that compare its first fields for equality, then one for a
/// range, and that order by the rest. It holds every record of its table; a field that a record
/// lacks counts as null.
///
/// A unique index refuses a second record with the same values with the write that would bring it
/// in. Values are the same when a query would say so. To swap the values of two records, let one be
/// null in between.
public struct Index: Sendable {
    /// What an index is for; the raw value is its name in the store.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Equality, ranges and order.
        case ordered = "index"
        /// As `ordered`, and no two records have the same values; null in any field is no value.
        case unique
        /// The words of the fields' texts, for search.
        case words
    }

    /// The greatest number of fields.
    public static let maximumFields = 16

    /// The fields.
    public let fields: [String]
    /// What they are indexed for.
    public let kind: Kind

    /// The index over these fields.
    ///
    /// - Throws: ``StoreError`` `.invalidIndex` when there is no field, one twice, more than
    ///   ``maximumFields``, or one that is empty, longer than 255 bytes or has control characters.
    public init(fields: [String], kind: Kind = .ordered) throws {
        if let problem = Self.problem(with: fields) { throw problem }
        self.fields = fields
        self.kind = kind
    }

    /// The index over fields that stand in the program.
    ///
    /// - Parameters:
    ///   - fields: The fields, most significant first.
    ///   - unique: Whether no two records may have the same values in them.
    /// - Precondition: The fields are valid; use ``init(fields:kind:)`` for names that are not in
    ///   the program.
    public init(_ fields: StaticString..., unique: Bool = false) {
        self.init(literal: fields, unique ? .unique : .ordered)
    }

    /// The index over the words of the texts in these fields, for search.
    ///
    /// - Precondition: The fields are valid; use ``init(fields:kind:)`` for names that are not in
    ///   the program.
    public init(words fields: StaticString...) { self.init(literal: fields, .words) }

    private init(literal fields: [StaticString], _ kind: Kind) {
        self.fields = fields.map(\.description)
        self.kind = kind
        precondition(
            Self.problem(with: self.fields) == nil,
            "an index names 1 to 16 different fields of 1 to 255 bytes without control characters"
        )
    }
}

extension Index {
    /// The index of a stored definition, which a valid index once wrote.
    init(stored fields: [String], kind: Kind) {
        self.fields = fields
        self.kind = kind
    }
}

extension Index: Hashable {
    /// Whether both are of one kind and name the same fields in the same order, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.fields.elementsEqual(right.fields, by: UTF8Order.same)
    }

    /// Feeds the kind and the fields to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(fields)
    }
}

extension Index: CustomStringConvertible {
    /// The fields with commas between them, behind the kind where it is not the ordinary one.
    public var description: String {
        let fields = fields.joined(separator: ", ")
        return kind == .ordered ? fields : "\(kind.rawValue): \(fields)"
    }
}

extension Index {
    private static func problem(with fields: [String]) -> StoreError? {
        if fields.isEmpty {
            return StoreError(.invalidIndex, "An index needs at least one field.")
        }
        if fields.count > maximumFields {
            return StoreError(.invalidIndex, "An index has at most \(maximumFields) fields.")
        }
        var seen: Set<[UInt8]> = []
        for field in fields {
            if let problem = Identifier.problem(with: field, maximumBytes: 255) {
                return StoreError(.invalidIndex, "A field of an index \(problem).")
            }
            guard seen.insert(Array(field.utf8)).inserted else {
                return StoreError(.invalidIndex, "An index names a field once.", field: field)
            }
        }
        return nil
    }
}
