/// The fields of a message's head, in their order; names are compared without case (RFC 9110, 5.1).
package struct HTTPHeaders: Hashable, Sendable {
    /// A field line.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All lines.
    package var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    /// The value of the first line of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.isSameToken(as: name) }?.value
    }

    /// The values of all lines of a name, in their order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameToken(as: name) }.map(\.value)
    }

    /// Appends a line.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}

extension StringProtocol {
    /// Whether two tokens of ASCII are the same without their case.
    package func isSameToken(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    package var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
