/// What a read has seen: every byte of it is looked at, so that no engine hands out mere pointers.
struct Tally {
    private(set) var records = 0
    private(set) var bytes = 0
    private var mixed: UInt64 = 0

    /// Looks at the bytes of one whole record.
    mutating func add(_ value: RawSpan) {
        look(at: value)
        records += 1
    }

    /// Looks at some bytes of a record.
    @inline(__always)
    mutating func look(at value: RawSpan) {
        var offset = 0
        while offset + 8 <= value.byteCount {
            mixed ^= unsafe value.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < value.byteCount {
            mixed ^= UInt64(unsafe value.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            offset += 1
        }
        bytes += value.byteCount
    }

    /// Counts a record whose fields were looked at, with those that are not text.
    mutating func count(_ updatedAt: Int64, _ version: Int64, _ isPinned: Bool, _ isArchived: Bool)
    {
        mixed ^= UInt64(bitPattern: updatedAt ^ version) ^ (isPinned ? 1 : 0) ^ (isArchived ? 2 : 0)
        bytes += Note.title.lowerBound
        records += 1
    }

    /// Counts a record that was decoded.
    mutating func count(_ note: NoteRecord) {
        bytes += note.title.utf8.count + note.body.utf8.count + Note.title.lowerBound
        mixed ^= UInt64(bitPattern: Int64(note.version)) ^ (note.isPinned ? 1 : 0)
        records += 1
    }

    /// Checks that it was so many whole records.
    func check(records count: Int, _ what: @autoclosure () -> String) throws {
        guard records == count, bytes == count * Note.valueBytes else {
            throw Failure("\(what()): \(records) records of \(bytes) bytes, not \(count)")
        }
    }
}
