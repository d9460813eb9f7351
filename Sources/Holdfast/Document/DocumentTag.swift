/// The first byte of a value in a document.
///
/// FORMAT.md describes each.
enum DocumentTag {
    static let null: UInt8 = 0x00
    static let `false`: UInt8 = 0x01
    static let `true`: UInt8 = 0x02
    static let int8: UInt8 = 0x03
    static let int16: UInt8 = 0x04
    static let int32: UInt8 = 0x05
    static let int64: UInt8 = 0x06
    static let double: UInt8 = 0x07
    static let longText: UInt8 = 0x08
    static let array: UInt8 = 0x09
    static let object: UInt8 = 0x0A
    static let uuid: UInt8 = 0x0B
    /// Timestamps without fraction, and with 3, 6 and 9 digits of it, have the tags from here on.
    static let timestamp: UInt8 = 0x0C
    static let lastTimestamp: UInt8 = 0x0F
    /// The integers 0 to 63 are the tags from here on.
    static let smallInteger: UInt8 = 0x40
    /// Texts of 0 to 127 bytes have their length in the tag, from here on.
    static let shortText: UInt8 = 0x80

    /// A name of this many bytes or more has its length in four further bytes.
    static let longName: UInt8 = 0xFF
}
