package import Holdfast

/// Ids that follow from what they are the id of, so that every replica that makes the same decision
/// makes the same record, and the second time changes nothing.
///
/// It is the hash FNV-1a of 128 bits, as a UUID of version 8: of each text a byte 1, its length and
/// its UTF-8; of nothing a byte 0; of each number its eight bytes, the lowest first.
package struct DerivedID {
    private static let prime = UInt128(1) << 88 | 0x13B
    private var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | UInt128(0x62B8_2175_6295_C58D)

    /// An id of a kind of thing about a record.
    package init(_ kind: String, of record: RecordReference) {
        append(kind)
        append(record.table.text)
        append(record.id.text)
    }

    /// Lets a text decide, too; `nil` is not the empty text.
    package mutating func append(_ text: String?) {
        guard let text else { return append(byte: 0) }
        append(byte: 1)
        append(Int64(text.utf8.count))
        for byte in text.utf8 { append(byte: byte) }
    }

    /// Lets a number decide, too.
    package mutating func append(_ number: Int64) {
        let word = UInt64(bitPattern: number)
        for shift in stride(from: 0, to: 64, by: 8) {
            append(byte: UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    private mutating func append(byte: UInt8) { hash = (hash ^ UInt128(byte)) &* Self.prime }

    /// The id.
    package var id: RecordID {
        .derived(
            high: UInt64(truncatingIfNeeded: hash >> 64),
            low: UInt64(truncatingIfNeeded: hash)
        )
    }
}
