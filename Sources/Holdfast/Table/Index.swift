/// The fields of a secondary index of a table, most significant first.
///
/// An index makes queries fast that compare its first fields for equality, then one for a range, and
/// that order by the rest. It holds every record of its table; a field that a record lacks counts as
/// null.
public struct Index: Sendable {
    /// The greatest number of fields.
    public static let maximumFields = 16

    /// The fields.
    public let fields: [String]

    /// The index over these fields.
    ///
    /// - Throws: ``StoreError`` `.invalidIndex` when there is no field, one twice, more than
    ///   ``maximumFields``, or one that is empty, longer than 255 bytes or has control characters.
    public init(fields: [String]) throws {
        try Self.check(fields)
        self.fields = fields
    }
}

extension Index {
    /// The index of a stored definition, which a valid index once wrote.
    init(stored fields: [String]) { self.fields = fields }
}

extension Index: Hashable {
    /// Whether both name the same fields in the same order, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.fields.elementsEqual(right.fields, by: UTF8Order.same)
    }

    /// Feeds the fields to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension Index: CustomStringConvertible {
    /// The fields with commas between them.
    public var description: String { fields.joined(separator: ", ") }
}

extension Index {
    private static func check(_ fields: [String]) throws {
        if fields.isEmpty {
            throw StoreError(.invalidIndex, "An index needs at least one field.")
        }
        if fields.count > maximumFields {
            throw StoreError(.invalidIndex, "An index has at most \(maximumFields) fields.")
        }
        var seen: Set<[UInt8]> = []
        for field in fields {
            if let problem = Identifier.problem(with: field, maximumBytes: 255) {
                throw StoreError(.invalidIndex, "A field of an index \(problem).")
            }
            guard seen.insert(Array(field.utf8)).inserted else {
                throw StoreError(.invalidIndex, "An index names a field once.", field: field)
            }
        }
    }
}
