package import Holdfast

/// Reads the fields of one object of a message: strict on types, blind to fields that it does not
/// know.
package struct WireReader {
    private let object: JSONObject
    private let path: String

    package init(_ object: JSONObject, at path: String = "") {
        self.object = object
        self.path = path
    }

    /// A failure at a field.
    package func failure(_ message: String, at name: String) -> WireError {
        WireError(message, at: path.isEmpty ? name : "\(path)/\(name)")
    }

    /// Whether a field is there and not null.
    package func has(_ name: String) -> Bool {
        guard let value = object[name] else { return false }
        return value != .null
    }

    // MARK: Texts

    /// A text that names something.
    package func name(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> String {
        guard case .string(let text)? = object[name], WireLimits.isName(text, atMost: limit) else {
            throw failure("has to be a text of 1 to \(limit) bytes", at: name)
        }
        return text
    }

    /// A text that names something; `nil` where there is none.
    package func optionalName(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> String? {
        has(name) ? try self.name(name, atMost: limit) : nil
    }

    /// A text for a person, cut to what is sensible.
    package func detail(_ name: String) throws(WireError) -> String {
        guard case .string(let text)? = object[name] else {
            throw failure("has to be a text", at: name)
        }
        if text.utf8.count <= WireLimits.detailBytes { return text }
        return String(decoding: text.utf8.prefix(WireLimits.detailBytes), as: UTF8.self)
    }

    /// One of the words of an enumeration.
    package func word<Word: RawRepresentable<String>>(
        _ name: String,
        _ type: Word.Type = Word.self
    ) throws(WireError) -> Word {
        guard case .string(let text)? = object[name], let word = Word(rawValue: text) else {
            throw failure("is not one of the words that stand there", at: name)
        }
        return word
    }

    // MARK: Numbers

    /// An integer of a range.
    package func integer(
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(WireError) -> Int64 {
        guard case .integer(let number)? = object[name], range.contains(number) else {
            throw failure("has to be an integer of \(range)", at: name)
        }
        return number
    }

    /// A version; `nil` where there is none.
    package func optionalVersion(_ name: String) throws(WireError) -> RecordVersion? {
        has(name) ? try version(name) : nil
    }

    /// A version: 1 or more, or 0 where that stands for none.
    package func version(_ name: String, from least: Int64 = 1) throws(WireError) -> RecordVersion {
        RecordVersion(try integer(name, in: least...Int64.max))
    }

    /// A version of the app's schema, or 0.
    package func schemaVersion(_ name: String) throws(WireError) -> Int {
        Int(try integer(name, in: 0...Int64(Int32.max)))
    }

    /// The form of a record; 0, which stands for an unknown one, where there is none.
    package var form: Int {
        get throws(WireError) { has("form") ? try schemaVersion("form") : 0 }
    }

    /// `true` or `false`, or nothing, which is `false`.
    package func flag(_ name: String) throws(WireError) -> Bool {
        guard has(name) else { return false }
        guard case .bool(let flag)? = object[name] else {
            throw failure("has to be true or false", at: name)
        }
        return flag
    }

    // MARK: Values

    /// Any value, null too; `nil` where there is no such field.
    package func value(_ name: String) -> JSONValue? { object[name] }

    /// An object.
    package func object(_ name: String) throws(WireError) -> JSONObject {
        guard case .object(let fields)? = object[name] else {
            throw failure("has to be an object", at: name)
        }
        return fields
    }

    /// An object; `nil` where there is none.
    package func optionalObject(_ name: String) throws(WireError) -> JSONObject? {
        has(name) ? try object(name) : nil
    }

    /// The fields of an object.
    package func reader(_ name: String) throws(WireError) -> WireReader {
        WireReader(try object(name), at: path.isEmpty ? name : "\(path)/\(name)")
    }

    /// A list, with each element made by `element`.
    package func list<Element>(
        _ name: String,
        _ element: (_ value: JSONValue, _ path: String) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        guard case .array(let values)? = object[name], values.count <= WireLimits.elements else {
            throw failure("has to be a list of at most \(WireLimits.elements) elements", at: name)
        }
        let start = path.isEmpty ? name : "\(path)/\(name)"
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (place, value) in values.enumerated() {
            elements.append(try element(value, "\(start)/\(place)"))
        }
        return elements
    }

    /// A list of objects; none where there is no such field.
    package func optionalObjects<Element>(
        _ name: String,
        _ element: (_ reader: WireReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        has(name) ? try objects(name, element) : []
    }

    /// A list of objects.
    package func objects<Element>(
        _ name: String,
        _ element: (_ reader: WireReader) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        try list(name) { (value, path) throws(WireError) in
            guard case .object(let object) = value else {
                throw WireError("has to be an object", at: path)
            }
            return try element(WireReader(object, at: path))
        }
    }

    /// A list of texts that name something; none where there is no such field.
    package func names(
        _ name: String,
        atMost limit: Int = WireLimits.identifierBytes
    ) throws(WireError) -> [String] {
        guard has(name) else { return [] }
        return try list(name) { (value, path) throws(WireError) in
            guard case .string(let text) = value, WireLimits.isName(text, atMost: limit) else {
                throw WireError("has to be a text of 1 to \(limit) bytes", at: path)
            }
            return text
        }
    }

    /// A list of any texts, such as names of fields.
    package func texts(_ name: String) throws(WireError) -> [String] {
        guard has(name) else { return [] }
        return try list(name) { (value, path) throws(WireError) in
            guard case .string(let text) = value else {
                throw WireError("has to be a text", at: path)
            }
            return text
        }
    }
}
