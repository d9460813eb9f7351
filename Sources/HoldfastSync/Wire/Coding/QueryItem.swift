/// A parameter of a request that has no body: a name and a value, not escaped.
package struct QueryItem: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Reads the parameters of a request.
struct QueryReader {
    private let items: [QueryItem]

    init(_ items: [QueryItem]) throws(WireError) {
        guard items.count <= WireLimits.elements else {
            throw WireError("has too many parameters", at: "")
        }
        self.items = items
    }

    /// The one value of a parameter; `nil` where it is not there.
    func optional(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> String? {
        let values = try all(name, atMost: limit)
        guard values.count <= 1 else { throw WireError("stands there twice", at: name) }
        return values.first
    }

    /// The one value of a parameter.
    func required(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> String {
        guard let value = try optional(name, atMost: limit) else {
            throw WireError("is missing", at: name)
        }
        return value
    }

    /// Every value of a parameter, in their order.
    func all(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> [String] {
        var values: [String] = []
        for item in items where item.name == name {
            guard WireLimits.isName(item.value, atMost: limit) else {
                throw WireError("has to be a text of 1 to \(limit) bytes", at: name)
            }
            values.append(item.value)
        }
        return values
    }

    /// A number in decimal digits.
    func number(
        _ name: String,
        in range: ClosedRange<Int64>,
        default value: Int64
    ) throws(WireError) -> Int64 {
        guard let text = try optional(name) else { return value }
        guard let number = Int64(text), range.contains(number) else {
            throw WireError("has to be an integer of \(range)", at: name)
        }
        return number
    }
}
