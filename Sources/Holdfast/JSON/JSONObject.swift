/// Named values, in the order in which they are stored; no name comes twice.
///
/// Two objects are equal when they have equal values under the same names, in any order. Names
/// are the same when their UTF-8 bytes are.
///
/// ```swift
/// var note: JSONObject = ["title": "Bread", "flour": 500]
/// note["flour"] = nil
/// for (name, value) in note { print(name, value) }
/// ```
public struct JSONObject: Sendable {
    /// A field: a name and its value.
    public typealias Element = (name: String, value: JSONValue)

    private var fields: [Element]
    /// Where each name stands; kept only for objects with many fields.
    private var positions: [FieldName: Int]?

    /// Above this many fields a hash table is faster than looking at each.
    private static let linearSearchLimit = 16

    /// An object without fields.
    public init() { fields = [] }

    /// An object with these fields; of two equal names the later value counts.
    ///
    /// - Complexity: O(n).
    public init(_ elements: some Sequence<Element>) {
        self.init()
        fields.reserveCapacity(elements.underestimatedCount)
        for (name, value) in elements { self[name] = value }
    }

    /// An object with these fields, no two of which have one name.
    package init(distinct fields: [Element]) {
        self.fields = fields
        if fields.count > Self.linearSearchLimit { indexNames() }
        assert(Set(fields.map { FieldName($0.name) }).count == fields.count)
    }

    /// The value under a name; `nil` where there is none.
    ///
    /// Setting a value under a name that is there keeps its place, a new one comes last;
    /// setting `nil` removes the field.
    ///
    /// - Complexity: O(1); removing a field is O(n).
    public subscript(name: String) -> JSONValue? {
        get { position(of: name).map { fields[$0].value } }
        set {
            guard let newValue else {
                removeValue(named: name)
                return
            }
            if let position = position(of: name) {
                fields[position].value = newValue
            } else {
                append(newName: name, newValue)
            }
        }
    }

    /// Removes a field.
    ///
    /// - Returns: The value that it had, `nil` where there was none.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func removeValue(named name: String) -> JSONValue? {
        guard let position = position(of: name) else { return nil }
        let value = fields.remove(at: position).value
        positions = nil
        if fields.count > Self.linearSearchLimit { indexNames() }
        return value
    }

    /// Appends a field unless its name is there already.
    ///
    /// - Returns: Whether it was appended.
    mutating func append(_ name: String, _ value: JSONValue) -> Bool {
        guard position(of: name) == nil else { return false }
        append(newName: name, value)
        return true
    }

    mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// The fields, by the bytes of their names.
    var sortedByName: [Element] {
        fields.sorted { UTF8Order.order($0.name, $1.name) == .before }
    }

    private mutating func append(newName name: String, _ value: JSONValue) {
        positions?[FieldName(name)] = fields.count
        fields.append((name, value))
        if positions == nil, fields.count > Self.linearSearchLimit { indexNames() }
    }

    private mutating func indexNames() {
        var positions: [FieldName: Int] = [:]
        positions.reserveCapacity(fields.count)
        for (position, field) in fields.enumerated() { positions[FieldName(field.name)] = position }
        self.positions = positions
    }

    private func position(of name: String) -> Int? {
        if let positions { return positions[FieldName(name)] }
        // By a span: a closure over the fields would copy each value, the array each name.
        let fields = fields.span
        let count = name.utf8.count
        for position in fields.indices where fields[position].name.utf8.count == count {
            if fields[position].name == name, UTF8Order.same(fields[position].name, name) {
                return position
            }
        }
        return nil
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { 0 }

    /// The position behind the last field.
    public var endIndex: Int { fields.count }

    /// The field at a position in stored order.
    public subscript(position: Int) -> Element { fields[position] }
}

extension JSONObject: Hashable {
    /// Whether both have equal values under the same names.
    ///
    /// - Complexity: O(n) in the size of the objects.
    public static func == (first: JSONObject, second: JSONObject) -> Bool {
        guard first.count == second.count else { return false }
        for position in first.fields.indices {
            let name = first.fields[position].name
            let isOpposite = UTF8Order.same(name, second.fields[position].name)
            guard let opposite = isOpposite ? position : second.position(of: name),
                first.fields[position].value == second.fields[opposite].value
            else { return false }
        }
        return true
    }

    /// Feeds the fields to a hasher, without regard to their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for field in fields {
            var fieldHasher = Hasher()
            fieldHasher.combine(field.name)
            fieldHasher.combine(field.value)
            sum &+= fieldHasher.finalize()
        }
        hasher.combine(fields.count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object with these fields; of two equal names the later value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.lazy.map { (name: $0.0, value: $0.1) })
    }
}
