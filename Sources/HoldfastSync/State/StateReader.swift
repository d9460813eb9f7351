import Holdfast

/// Reads what a ``StateWriter`` wrote: what is not as it was written is damage, never a trap.
struct StateReader {
    private let bytes: [UInt8]
    private var position = 0
    private let subject: String

    init(_ bytes: [UInt8], of subject: String) {
        self.bytes = bytes
        self.subject = subject
    }

    /// The error of bytes that are not as they were written.
    var damage: SyncError { .damagedState(subject) }

    mutating func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws -> Integer {
        let end = position + Integer.bitWidth / 8
        guard end <= bytes.count else { throw damage }
        var integer: Integer = 0
        while position < end {
            integer = integer << 8 | Integer(truncatingIfNeeded: bytes[position])
            position += 1
        }
        return integer
    }

    mutating func text() throws -> String {
        String(decoding: try block(), as: UTF8.self)
    }

    mutating func optionalText() throws -> String? {
        try integer(UInt8.self) == 0 ? nil : try text()
    }

    mutating func block() throws -> ArraySlice<UInt8> { try take(Int(integer(UInt32.self))) }

    mutating func object() throws -> JSONObject {
        do {
            return try Document.decode(Array(try block()))
        } catch {
            throw damage
        }
    }

    mutating func texts() throws -> [String] {
        let count = try integer(UInt32.self)
        var texts: [String] = []
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    /// Whether nothing follows.
    var isAtEnd: Bool { position == bytes.count }

    /// Nothing may follow.
    func end() throws {
        if !isAtEnd { throw damage }
    }

    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw damage }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
