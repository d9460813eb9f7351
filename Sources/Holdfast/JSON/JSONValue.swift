/// A JSON value: what a field of a record holds.
///
/// `==` means stored alike: `1` and `1.0` differ, as do `0.0` and `-0.0`, and texts are equal when
/// their UTF-8 bytes are. The fields of an object may stand in any order. Sorting and queries
/// use ``precedes(_:)``, for which `1` and `1.0` are the same number.
///
/// A `double` is finite in every value that was read. One that is built in code and holds a NaN or
/// an infinity is refused with ``JSONError`` where it would be written.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent, exact.
    case integer(Int64)
    /// A number written with a fraction or an exponent.
    case double(Double)
    /// A text.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Named values.
    case object(JSONObject)

    /// How deep arrays and objects may stand in each other; the object that is a record does not
    /// count.
    ///
    /// A value that deep is safe on a stack of 512 KiB in everything that recurses over it, the
    /// coding of an app's types included.
    public static let nestingLimit = 128
}

extension JSONValue: Hashable {
    /// Whether both would be stored alike, fields in any order.
    ///
    /// - Complexity: O(n) in the size of the values.
    public static func == (first: JSONValue, second: JSONValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.double(let first), .double(let second)): first.bitPattern == second.bitPattern
        case (.string(let first), .string(let second)): UTF8Order.same(first, second)
        case (.array(let first), .array(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        default: false
        }
    }

    /// Feeds the value to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let bool): hasher.combine(bool)
        case .integer(let integer): hasher.combine(integer)
        case .double(let double): hasher.combine(double.bitPattern)
        case .string(let text): hasher.combine(text)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue {
    /// Whether arrays and objects stand in each other at most so many levels deep.
    ///
    /// It goes no deeper than that, whatever the value is.
    func nests(within levels: Int) -> Bool {
        switch self {
        case .null, .bool, .integer, .double, .string: true
        case .array(let elements):
            levels > 0 && elements.allSatisfy { $0.nests(within: levels - 1) }
        case .object(let object):
            levels > 0 && object.allSatisfy { $0.value.nests(within: levels - 1) }
        }
    }
}
