/// A note for an engine that has one space of keys: notes and index stand under a letter each.
struct PrefixedNote: Sendable {
    static let note = UInt8(ascii: "n")
    static let date = UInt8(ascii: "d")
    /// The key behind all keys of the index, which is before all keys of notes.
    static let endOfDates = [date + 1]

    let key: [UInt8]
    let value: [UInt8]
    let indexKey: [UInt8]

    init(_ note: Note) {
        key = Self.key(note.key)
        value = note.value
        indexKey = [Self.date] + note.indexKey
    }

    /// The key of a note.
    static func key(_ id: [UInt8]) -> [UInt8] { [note] + id }

    /// The index key that a stored value of this note has.
    func indexKey(of value: RawSpan) -> [UInt8] {
        let date = Array(copying: value.extracting(first: Note.dateBytes))
        return [Self.date] + Note.indexKey(Array(key.dropFirst()), date[...])
    }

    /// The id at the end of an index key.
    static func id(ofIndexKey key: RawSpan) -> [UInt8] {
        Array(copying: key.extracting(droppingFirst: 1 + Note.dateBytes))
    }
}
