/// Writes index keys; ``IndexKey`` describes them.
struct IndexKeyWriter: ~Copyable {
    private enum Tag {
        static let end: UInt8 = 0x00
        static let null: UInt8 = 0x02
        static let `false`: UInt8 = 0x03
        static let `true`: UInt8 = 0x04
        static let number: UInt8 = 0x05
        static let text: UInt8 = 0x06
        static let array: UInt8 = 0x07
        static let object: UInt8 = 0x08
    }

    private(set) var buffer = ByteBuffer(capacity: 64)

    /// Appends the key of a value, and says whether it was cut.
    mutating func append(_ value: JSONValue) -> Bool {
        let start = buffer.count
        let end = start + 1 + IndexKey.payloadLimit
        append(value, upTo: end)
        return cut(at: end)
    }

    /// Appends the key of the value that a document has next, and says whether it was cut.
    mutating func append(from reader: inout DocumentReader) throws(DocumentError) -> Bool {
        let valueStart = reader.position
        let end = buffer.count + 1 + IndexKey.payloadLimit
        let tag = try reader.take(UInt8.self)
        if let range = try reader.takePlainText(tag) {
            append(text: reader.bytes[range], upTo: end)
            return cut(at: end)
        }
        if let packed = try reader.takePackedText(tag) {
            append(packed)
            return false
        }
        if let integer = try reader.takeInteger(tag) {
            append(integer)
            return false
        }
        reader.position = valueStart
        return append(try reader.value())
    }

    /// Appends the beginning of the keys of all texts with this beginning.
    mutating func append(prefix: String) -> Bool {
        let end = buffer.count + 1 + IndexKey.payloadLimit
        buffer.append(Tag.text)
        prefix.withByteView { escape($0, upTo: end) }
        guard buffer.count > end else { return false }
        buffer.truncate(to: end)
        return true
    }

    private mutating func cut(at end: Int) -> Bool {
        guard buffer.count > end else { return false }
        buffer.truncate(to: end)
        buffer.append(IndexKey.cutMark)
        return true
    }

    /// Appends at least what is before `end`; what is behind it will be cut.
    private mutating func append(_ value: JSONValue, upTo end: Int) {
        switch value {
        case .null: buffer.append(Tag.null)
        case .bool(let bool): buffer.append(bool ? Tag.true : Tag.false)
        case .integer(let integer): append(integer)
        case .double(let double): append(double)
        case .string(let text): text.withByteView { append(text: $0, upTo: end) }
        case .array(let elements): append(elements, upTo: end)
        case .object(let object): append(object, upTo: end)
        }
    }

    private mutating func append(_ elements: [JSONValue], upTo end: Int) {
        buffer.append(Tag.array)
        for element in elements {
            if buffer.count > end { return }
            append(element, upTo: end)
        }
        buffer.append(Tag.end)
    }

    private mutating func append(_ object: JSONObject, upTo end: Int) {
        buffer.append(Tag.object)
        for (name, value) in object.sortedByName {
            if buffer.count > end { return }
            name.withByteView { append(text: $0, upTo: end) }
            append(value, upTo: end)
        }
        buffer.append(Tag.end)
    }
}

extension IndexKeyWriter {
    private mutating func append(text: ByteView, upTo end: Int) {
        buffer.append(Tag.text)
        escape(text, upTo: end)
        buffer.append(Tag.end)
    }

    private mutating func append(_ packed: PackedText) {
        buffer.append(Tag.text)
        buffer.append(count: packed.textLength) { packed.write(to: &$0) }
        buffer.append(Tag.end)
    }

    /// Appends a text's bytes so that none of them is zero, and their order stays.
    private mutating func escape(_ text: ByteView, upTo end: Int) {
        let kept = text[0..<max(0, min(text.count, end + 1 - buffer.count))]
        guard kept.containsByteBelow2 else {
            buffer.append(kept)
            return
        }
        for position in 0..<kept.count {
            let byte = kept[position]
            if byte < 2 { buffer.append(1) }
            buffer.append(byte < 2 ? byte + 1 : byte)
        }
    }

    private mutating func append(_ double: Double) {
        append(floor: double, remainder: 0)
    }

    private mutating func append(_ integer: Int64) {
        var floor = Double(integer)
        // Rounded up where it is above, or where it reached 2^63.
        if Int64(exactly: floor).map({ $0 > integer }) ?? true { floor = floor.nextDown }
        append(floor: floor, remainder: integer - (Int64(exactly: floor) ?? integer))
    }

    /// Appends a number as the greatest double that is not above it, and what is missing.
    ///
    /// The double's bits are turned so that they order as unsigned integers do, most significant
    /// byte first. From 2^53 on, where integers lie between doubles, the remainder of 0 to 1,023
    /// follows, 7 bits a byte. Else a double that ends with `FF` is followed by `00`, so that only
    /// cut keys end with `FF`.
    private mutating func append(floor: Double, remainder: Int64) {
        buffer.append(Tag.number)
        let bits = (floor == 0 ? 0.0 : floor.isNaN ? .nan : floor).bitPattern
        let ordered = floor < 0 ? ~bits : bits | 1 << 63
        buffer.append(integer: ordered.bigEndian)
        if floor.magnitude >= 0x1p53 {
            buffer.append(UInt8(truncatingIfNeeded: remainder >> 7))
            buffer.append(UInt8(truncatingIfNeeded: remainder & 0x7F))
        } else if ordered & 0xFF == 0xFF {
            buffer.append(0)
        }
    }
}
