/// One note in the form that engines of bytes store; made before the clock runs.
///
/// The value is the date and the version in eight bytes each, the two flags in one each, the title
/// in 20 and the body in 200; with the id as key the record has 274 bytes. The date is big-endian,
/// so that the order of its bytes is that of time.
struct Note: Sendable {
    static let valueBytes = 238
    static let dateBytes = 8
    static let versionBytes = 8
    static let title = 18..<38
    static let body = 38..<238

    /// The id: the 36 characters of a UUID.
    let key: [UInt8]
    /// All other fields.
    let value: [UInt8]

    /// The date in milliseconds since 1970.
    var updatedAt: Int64 { Self.integer(value[..<Self.dateBytes]) }

    /// How often the note was updated.
    var version: Int64 { Self.integer(value[8..<16]) }

    var isPinned: Bool { value[16] != 0 }

    var isArchived: Bool { value[17] != 0 }

    /// The key under which the note stands in an index made by hand.
    var indexKey: [UInt8] { Self.indexKey(key, value[..<Self.dateBytes]) }

    /// The key of an index made by hand: the date, then the id.
    static func indexKey(_ key: [UInt8], _ date: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(dateBytes + key.count)
        bytes += date
        bytes += key
        return bytes
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension Note {
    /// Puts the fields together.
    init(key: [UInt8], fields: NoteFields) {
        self.key = key
        var value: [UInt8] = []
        value.reserveCapacity(Self.valueBytes)
        for integer in [fields.updatedAt, fields.version] {
            for shift in stride(from: Int64(56), through: 0, by: -8) {
                value.append(UInt8(truncatingIfNeeded: integer >> shift))
            }
        }
        value.append(fields.isPinned ? 1 : 0)
        value.append(fields.isArchived ? 1 : 0)
        value += fields.title
        value += fields.body
        self.value = value
    }
}

/// What a note holds beside its id.
struct NoteFields {
    var updatedAt: Int64
    var version: Int64
    var isPinned: Bool
    var isArchived: Bool
    var title: [UInt8]
    var body: [UInt8]
}
