/// A check that bytes have the outline of one JSON value: brackets, commas, colons and quotes stand
/// where they belong, whatever the names, texts and numbers between them are.
///
/// Only then does a value that cannot be read end where it seems to.
struct JSONOutline {
    private enum Expectation {
        case value, valueOrEnd, name, nameOrEnd, colon, separator
    }

    private var expected = Expectation.value
    private var open: [UInt8] = []

    /// Whether `bytes` have it.
    ///
    /// - Complexity: O(n), without recursion.
    static func fits(_ bytes: ArraySlice<UInt8>) -> Bool {
        var outline = JSONOutline()
        var rest = bytes
        while let byte = rest.popFirst() {
            if JSONText.isWhitespace(byte) { continue }
            guard outline.take(byte, &rest) else { return false }
        }
        return outline.open.isEmpty && outline.expected == .separator
    }

    private mutating func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): takeText(&rest)
        case UInt8(ascii: "{"): begin(byte, .nameOrEnd)
        case UInt8(ascii: "["): begin(byte, .valueOrEnd)
        case UInt8(ascii: "}"): end(UInt8(ascii: "{"), empty: .nameOrEnd)
        case UInt8(ascii: "]"): end(UInt8(ascii: "["), empty: .valueOrEnd)
        case UInt8(ascii: ":"): replace(.colon, by: .value)
        case UInt8(ascii: ","):
            !open.isEmpty
                && replace(.separator, by: open.last == UInt8(ascii: "{") ? .name : .value)
        default: takeScalar(byte, &rest)
        }
    }

    private var expectsValue: Bool { expected == .value || expected == .valueOrEnd }

    private mutating func replace(_ old: Expectation, by new: Expectation) -> Bool {
        guard expected == old else { return false }
        expected = new
        return true
    }

    private mutating func begin(_ bracket: UInt8, _ first: Expectation) -> Bool {
        guard expectsValue else { return false }
        open.append(bracket)
        expected = first
        return true
    }

    private mutating func end(_ bracket: UInt8, empty: Expectation) -> Bool {
        guard expected == .separator || expected == empty else { return false }
        expected = .separator
        return open.popLast() == bracket
    }

    /// A line break inside a text speaks for quotes that were never closed.
    private mutating func takeText(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let isName = expected == .name || expected == .nameOrEnd
        guard isName || expectsValue else { return false }
        expected = isName ? .colon : .separator
        while let byte = rest.popFirst(), byte != 0x0A, byte != 0x0D {
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return false
    }

    private mutating func takeScalar(_ first: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard expectsValue, Self.isScalar(first) else { return false }
        expected = .separator
        rest = rest.drop(while: Self.isScalar)
        return true
    }

    private static func isScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
