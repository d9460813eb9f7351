extension RecordID {
    /// The id that is made of 128 bits: the text of a UUID of version 8 (RFC 9562).
    package static func derived(high: UInt64, low: UInt64) -> RecordID {
        RecordID(
            PackedUUID(
                high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
                low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
            )
        )
    }
}
