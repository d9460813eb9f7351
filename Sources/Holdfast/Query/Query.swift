/// Which records of a table to take, in which order, and how many.
///
/// ```swift
/// let newest = Note.query
///     .where("isPinned", .equals, false)
///     .order(by: "updatedAt", .descending)
///     .limit(50)
/// ```
///
/// It is a value: building one reads nothing. `Row` is what a fetch gives back: a ``Record`` type,
/// or ``JSONObject``.
///
/// A field that a record lacks counts as null. Values order as null < bool < number < text < array
/// < object, with `1` equal to `1.0`. Records that the order leaves equal stand in ascending byte
/// order of their ids.
public struct Query<Row: Sendable>: Sendable {
    /// The table.
    public let table: TableName
    /// The conditions; a record has to meet all of them.
    public private(set) var filters: [Filter] = []
    /// The order, most significant field first; by id alone when it is empty.
    public private(set) var order: [FieldOrder] = []
    /// The greatest number of records, or `nil` for all.
    public private(set) var limit: Int?
    /// Where the page before ended.
    public private(set) var cursor: QueryCursor?

    init(rowsOf table: TableName) { self.table = table }
}

extension Query where Row == JSONObject {
    /// Every record of a table.
    public init(_ table: TableName) { self.init(rowsOf: table) }
}

extension Query {
    /// Only records that meet a condition as well.
    ///
    /// - Parameters:
    ///   - field: The name of a field of the record itself.
    ///   - comparison: How its value is compared.
    ///   - value: What it is compared with; an array for `.isIn`, text for `.begins`.
    /// - Returns: The narrowed query.
    public func `where`(
        _ field: String,
        _ comparison: Filter.Comparison,
        _ value: JSONValue
    ) -> Self {
        filter(Filter(field, comparison, value))
    }

    /// Only records that meet a condition as well.
    public func filter(_ filter: Filter) -> Self {
        var query = self
        query.filters.append(filter)
        return query
    }

    /// Only records in whose fields every word of a text stands, the last one maybe the beginning
    /// of a word; see ``Filter/search(_:in:)-(_,[String])``.
    ///
    /// ```swift
    /// Note.query.search("bread flo", in: "title", "body")
    /// ```
    public func search(_ text: String, in fields: String...) -> Self {
        filter(.search(text, in: fields))
    }

    /// Orders by a field, after the fields that were named before.
    public func order(by field: String, _ direction: FieldOrder.Direction = .ascending) -> Self {
        var query = self
        query.order.append(FieldOrder(field: field, direction: direction))
        return query
    }

    /// At most `count` records; `nil` for all.
    public func limit(_ count: Int?) -> Self {
        var query = self
        query.limit = count
        return query
    }

    /// Only what comes after the last record of a page.
    ///
    /// The cursor names a place in the order, not a number of records: it stays right while records
    /// come and go. It belongs to this table, these filters and this order; the limit may change.
    public func after(_ cursor: QueryCursor?) -> Self {
        var query = self
        query.cursor = cursor
        return query
    }

    /// The same records in the order of their ids.
    var unordered: Self {
        var query = self
        query.order = []
        return query
    }

    /// The same records as JSON objects.
    public var untyped: Query<JSONObject> {
        var query = Query<JSONObject>(rowsOf: table)
        query.filters = filters
        query.order = order
        query.limit = limit
        query.cursor = cursor
        return query
    }
}
