/// Where a checkpoint has a node's page: offset and length in one word with its lowest bit set,
/// which no node's address has.
///
/// ```
/// bit 0: 1 | bits 1-20: length / 64 | bits 21-63: offset / 64
/// ```
struct PageWord: Hashable {
    /// Pages stand at multiples of this, and their lengths are such.
    static let alignment = 64

    let bits: UInt64

    /// - Returns: `nil` for a page that is too long or too far away for a word.
    init?(offset: UInt64, length: Int) {
        let (start, count) = (offset / 64, UInt64(length) / 64)
        guard start < 1 << 43, (1..<1 << 20).contains(count) else { return nil }
        bits = start << 21 | count << 1 | 1
    }

    /// - Returns: `nil` for what is no page's word.
    init?(bits: UInt64) {
        guard bits & 1 == 1 else { return nil }
        self.bits = bits
        guard length > 0 else { return nil }
    }

    var offset: UInt64 { (bits >> 21) << 6 }
    var length: Int { Int((bits >> 1) & 0xF_FFFF) << 6 }
    var end: UInt64 { offset + UInt64(length) }
}
