/// A field that holds the id of a record in a table, and what becomes of its record when that one
/// is deleted.
///
/// ```swift
/// Reference("folder", to: Folder.self, onDelete: .cascade)
/// Reference("author", to: "people", onDelete: .nullify)
/// ```
///
/// The field holds the id as text or as an integer; null, or no such field, refers to nothing.
/// A transaction that would leave a field with the id of no record is refused when its closure
/// ends, so that the order of the writes inside does not matter. What a deletion does is done at
/// once, with it. A reference brings an ordered index over its field along; where a store is opened
/// without its indexes, a deletion visits the tables that refer to its own.
///
/// A write that leaves the field as it is stored is not checked for it: a record that came from
/// elsewhere with the id of no record can be edited in its other fields.
///
/// An array of ids is no reference: give each its record in a table between the two.
public struct Reference: Sendable {
    /// What deleting a record does to the records that refer to it; the raw value is its name in
    /// the store.
    public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
        /// It is refused, unless the same deletion takes the other records along.
        case restrict
        /// They are deleted too, and what refers to them in turn is treated by its own rule.
        case cascade
        /// Their field becomes null.
        ///
        /// A typed property for it is optional: null where a type wants a value is `.wrongType`
        /// when the record is read.
        case nullify
    }

    /// The field.
    public let field: String
    /// The table whose ids it holds.
    public let target: TableName
    /// What deleting a record of that table does.
    public let onDelete: DeleteRule

    /// A reference by a field that stands in the program.
    ///
    /// - Precondition: The field is valid; use ``init(field:to:onDelete:)`` for names that are not
    ///   in the program.
    public init(_ field: StaticString, to target: TableName, onDelete: DeleteRule = .restrict) {
        self.init(stored: field.description, to: target, onDelete: onDelete)
        precondition(
            Self.problem(with: self.field) == nil,
            "a reference names a field of 1 to 255 bytes without control characters"
        )
    }

    /// A reference to the records of a type, by a field that stands in the program.
    ///
    /// - Precondition: The field is valid; use ``init(field:to:onDelete:)`` for names that are not
    ///   in the program.
    public init(
        _ field: StaticString,
        to target: (some Record).Type,
        onDelete: DeleteRule = .restrict
    ) {
        self.init(field, to: target.table, onDelete: onDelete)
    }

    /// A reference by a field.
    ///
    /// - Throws: ``StoreError`` `.invalidSchema` when the field is empty, longer than 255 bytes or
    ///   has control characters.
    public init(field: String, to target: TableName, onDelete: DeleteRule = .restrict) throws {
        if let problem = Self.problem(with: field) { throw problem }
        self.init(stored: field, to: target, onDelete: onDelete)
    }

    /// The reference of a stored declaration, which a valid one once wrote.
    init(stored field: String, to target: TableName, onDelete: DeleteRule) {
        self.field = field
        self.target = target
        self.onDelete = onDelete
    }

    /// The index that finds the records that refer to one.
    var index: Index { Index(stored: [field], kind: .ordered) }

    private static func problem(with field: String) -> StoreError? {
        Identifier.problem(with: field, maximumBytes: 255).map {
            StoreError(.invalidSchema, "The field of a reference \($0).")
        }
    }
}

extension Reference: Hashable {
    /// Whether both have the same field, byte for byte, the same table and the same rule.
    public static func == (left: Self, right: Self) -> Bool {
        UTF8Order.same(left.field, right.field) && left.target == right.target
            && left.onDelete == right.onDelete
    }

    /// Feeds field, table and rule to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(target)
        hasher.combine(onDelete)
    }
}

extension Reference: CustomStringConvertible {
    /// The field, the table and the rule.
    public var description: String { "\(field) -> \(target) (\(onDelete.rawValue))" }
}
