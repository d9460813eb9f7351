/// Writes values as JSON text.
struct JSONSerializer {
    private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private let depthLimit: Int
    private var depth = 0

    /// A serializer for a value; `levels` around it do not count as nesting.
    init(pretty: Bool, uncounted levels: Int = 0) {
        isPretty = pretty
        depthLimit = JSONValue.nestingLimit + levels
    }

    mutating func append(_ value: JSONValue) throws(JSONError) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(integer.description)
        case .double(let double): try append(double)
        case .string(let text): append(text: text)
        case .array(let elements): try append(elements)
        case .object(let object): try append(object)
        }
    }

    mutating func append(_ object: JSONObject) throws(JSONError) {
        try open(UInt8(ascii: "{"))
        for (position, field) in object.enumerated() {
            separate(position)
            append(text: field.name)
            bytes.append(UInt8(ascii: ":"))
            if isPretty { bytes.append(UInt8(ascii: " ")) }
            try append(field.value)
        }
        close(UInt8(ascii: "}"), isEmpty: object.isEmpty)
    }

    private mutating func append(_ elements: [JSONValue]) throws(JSONError) {
        try open(UInt8(ascii: "["))
        for (position, element) in elements.enumerated() {
            separate(position)
            try append(element)
        }
        close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
    }

    /// The shortest text that reads back as the same double, with a fraction or an exponent.
    private mutating func append(_ double: Double) throws(JSONError) {
        guard double.isFinite else { throw .notFinite }
        let start = bytes.count
        append(double.description)
        shortenExponent(from: start)
    }

    /// `description` writes `1e+16` and `1e-07`; neither the plus sign nor the zero says anything.
    private mutating func shortenExponent(from start: Int) {
        guard let mark = bytes[start...].firstIndex(of: UInt8(ascii: "e")) else { return }
        var digits = mark + 1
        if bytes[digits] == UInt8(ascii: "+") { bytes.remove(at: digits) }
        if bytes[digits] == UInt8(ascii: "-") { digits += 1 }
        while bytes[digits] == UInt8(ascii: "0") { bytes.remove(at: digits) }
    }

    private mutating func append(text: String) {
        bytes.append(UInt8(ascii: "\""))
        text.withByteView { view in
            var start = 0
            while start < view.count {
                let end = JSONText.endOfPlain(in: view, from: start)
                view[start..<end].append(to: &bytes)
                if end < view.count { escape(view[end]) }
                start = end + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default: append((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }

    @inline(__always)
    private mutating func append(_ text: String) {
        text.withByteView { $0.append(to: &bytes) }
    }

    private mutating func open(_ bracket: UInt8) throws(JSONError) {
        guard depth < depthLimit else { throw .nestedTooDeep }
        depth += 1
        bytes.append(bracket)
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        depth -= 1
        if !isEmpty { breakLine() }
        bytes.append(bracket)
    }

    private mutating func separate(_ position: Int) {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}

extension JSONError {
    /// A value that was built in code holds a number that JSON does not have.
    static let notFinite = JSONError(
        .numberOutOfRange,
        "a number is infinite or not a number, which JSON cannot hold"
    )

    /// A value that was built in code is nested deeper than the limit.
    static let nestedTooDeep = JSONError(
        .nestingTooDeep,
        "arrays and objects stand in each other deeper than \(JSONValue.nestingLimit) levels"
    )
}
