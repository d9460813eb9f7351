extension JSONParser {
    /// The text whose opening quote is the next byte.
    mutating func text() throws(JSONError) -> String {
        let start = position + 1
        position = JSONText.endOfPlain(in: bytes, from: start)
        if peek() == UInt8(ascii: "\"") {
            position += 1
            return try validated(bytes[start..<(position - 1)], from: start)
        }
        return try textWithEscapes(from: start)
    }

    private mutating func textWithEscapes(from start: Int) throws(JSONError) -> String {
        var unescaped: [UInt8] = []
        append(start..<position, to: &unescaped)
        while peek() == UInt8(ascii: "\\") {
            try unescape(into: &unescaped)
            let plain = position
            position = JSONText.endOfPlain(in: bytes, from: plain)
            append(plain..<position, to: &unescaped)
        }
        guard let end = peek() else { throw unfinishedString() }
        guard end == UInt8(ascii: "\"") else {
            throw failure(.invalidText, "a control character in a string must be escaped")
        }
        position += 1
        let text = unescaped.withByteView(\.text)
        guard let text else { throw invalidUTF8(bytes[start..<(position - 1)], from: start) }
        return text
    }

    private func append(_ range: Range<Int>, to unescaped: inout [UInt8]) {
        bytes[range].append(to: &unescaped)
    }

    /// Reads one escape, from its backslash on.
    private mutating func unescape(into unescaped: inout [UInt8]) throws(JSONError) {
        let start = position
        position += 1
        guard let letter = peek() else { throw unfinishedString() }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): try appendScalar(from: start, to: &unescaped)
        default: throw failure(.invalidText, "unknown escape in a string", at: start)
        }
    }

    /// Reads the digits of a `\u` escape, and the second escape of a surrogate pair.
    private mutating func appendScalar(
        from start: Int,
        to unescaped: inout [UInt8]
    ) throws(JSONError) {
        let first = try fourHexDigits()
        var code = first
        if 0xD800..<0xDC00 ~= first {
            for byte in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
                guard let next = peek() else { throw unfinishedString() }
                guard next == byte else { throw loneSurrogate(at: start) }
                position += 1
            }
            let second = try fourHexDigits()
            guard 0xDC00..<0xE000 ~= second else { throw loneSurrogate(at: start) }
            code = 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw loneSurrogate(at: start) }
        unescaped.append(contentsOf: String(scalar).utf8)
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw unfinishedString() }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw failure(.invalidText, "expected four hexadecimal digits after \\u")
            }
            code = code << 4 + UInt32(digit)
            position += 1
        }
        return code
    }

    private func unfinishedString() -> JSONError {
        failure(.unexpectedEnd, "the text ends inside a string")
    }

    private func loneSurrogate(at start: Int) -> JSONError {
        failure(.invalidText, "half of a surrogate pair stands alone in a string", at: start)
    }

    private func validated(_ view: ByteView, from start: Int) throws(JSONError) -> String {
        guard let text = view.text else { throw invalidUTF8(view, from: start) }
        return text
    }

    /// An error at the first byte that is not UTF-8.
    private func invalidUTF8(_ view: ByteView, from start: Int) -> JSONError {
        var iterator = view.array.makeIterator()
        var decoder = UTF8.ForwardParser()
        var valid = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &iterator) {
            valid += scalar.count
        }
        return failure(.invalidUTF8, "a string is not valid UTF-8", at: start + valid)
    }
}
