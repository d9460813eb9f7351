extension JSONValue {
    /// The text; `nil` for another kind of value.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer; `nil` for another kind of value, a double included.
    public var integerValue: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The number as a double, an integer rounded to the nearest; `nil` for another kind of value.
    public var doubleValue: Double? {
        switch self {
        case .double(let double): double
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// The bool; `nil` for another kind of value.
    public var boolValue: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements; `nil` for another kind of value.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object; `nil` for another kind of value.
    public var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}
