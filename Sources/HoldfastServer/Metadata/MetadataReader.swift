import Holdfast
import HoldfastSync

/// Reads what ``MetadataWriter`` wrote; damage is an error.
struct MetadataReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() throws(StoreError) -> UInt8 {
        guard position < bytes.count else { throw Self.damage }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(StoreError) -> Int64 {
        let number = try bits()
        guard let number = Int64(exactly: number) else { throw Self.damage }
        return number
    }

    mutating func bits() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || byte <= 1 else { throw Self.damage }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    mutating func text() throws(StoreError) -> String {
        let range = try take()
        return String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func content() throws(StoreError) -> [UInt8] {
        Array(bytes[try take()])
    }

    private mutating func take() throws(StoreError) -> Range<Int> {
        let count = try number()
        guard count <= Int64(bytes.count - position) else { throw Self.damage }
        let start = position
        position += Int(count)
        return start..<position
    }

    /// A number of eight bytes, the greatest first.
    static func ordered(_ bytes: some Collection<UInt8>) -> Int64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    static var damage: StoreError {
        StoreError(.corruption, "An entry of the server's own cannot be read back.")
    }
}

extension MetadataReader {
    mutating func version() throws(StoreError) -> RecordVersion { RecordVersion(try number()) }

    mutating func reference() throws -> RecordReference {
        RecordReference(try TableName(text()), try RecordID(text()))
    }
}
