import Holdfast
import HoldfastSync

/// Writes what a server notes about its records and clients, in few bytes.
struct MetadataWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int = 64) { bytes.reserveCapacity(count) }

    mutating func append(byte: UInt8) { bytes.append(byte) }

    /// A number that is not negative, seven bits a byte, the lowest first.
    mutating func append(_ number: Int64) {
        append(bits: UInt64(bitPattern: number))
    }

    mutating func append(bits number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(_ text: String) {
        append(Int64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ content: [UInt8]) {
        append(Int64(content.count))
        bytes.append(contentsOf: content)
    }

    mutating func append(_ record: RecordReference) {
        append(record.table.text)
        append(Int64(record.id.byteCount))
        record.id.append(to: &bytes)
    }

    /// Appends eight bytes, the greatest first: they order as the numbers do.
    static func appendOrdered(_ number: Int64, to bytes: inout [UInt8]) {
        for place in Int64(0)..<8 {
            bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (7 - place))))
        }
    }
}
