/// A text that a document holds in fewer bytes than it has, and gives back exactly.
enum PackedText {
    case uuid(PackedUUID)
    /// Nanoseconds since the start of 1970, and how many digits of fraction the text has.
    case timestamp(nanoseconds: Int64, fractionDigits: Int)

    /// The packed form of a text; `nil` where it has none.
    @inline(__always)
    init?(_ text: ByteView) {
        switch text.count {
        case PackedUUID.textLength:
            guard let uuid = PackedUUID(text) else { return nil }
            self = .uuid(uuid)
        case 20: self.init(text, fractionDigits: 0)
        case 24: self.init(text, fractionDigits: 3)
        case 27: self.init(text, fractionDigits: 6)
        case 30: self.init(text, fractionDigits: 9)
        default: return nil
        }
    }

    private init?(_ text: ByteView, fractionDigits: Int) {
        guard let time = Timestamp(canonical: text, fractionDigits: fractionDigits) else {
            return nil
        }
        self.init(time, fractionDigits: fractionDigits)
    }

    /// The packed form of a timestamp; `nil` before 1678 and after 2261.
    init?(_ time: Timestamp, fractionDigits: Int) {
        let (product, tooLarge) = Int64(time.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = product.addingReportingOverflow(Int64(time.nanoseconds))
        guard !tooLarge, !overflow else { return nil }
        self = .timestamp(nanoseconds: sum, fractionDigits: fractionDigits)
    }

    /// How many bytes the text has.
    var textLength: Int {
        switch self {
        case .uuid: PackedUUID.textLength
        case .timestamp(_, let digits): Timestamp.textLength(fractionDigits: digits)
        }
    }

    /// Writes the text into ``textLength`` bytes.
    func write(to text: inout MutableSpan<UInt8>) {
        switch self {
        case .uuid(let uuid): uuid.write(to: &text)
        case .timestamp(let nanoseconds, let digits):
            Timestamp(nanoseconds: nanoseconds).write(fractionDigits: digits, to: &text)
        }
    }

    /// The text.
    var text: String { String(utf8Count: textLength) { write(to: &$0) } }
}

extension String {
    /// A text of so many bytes, which `write` fills in with UTF-8.
    init(utf8Count count: Int, _ write: (inout MutableSpan<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: count) { memory in
            unsafe memory.initialize(repeating: 0)
            var span = unsafe MutableSpan(_unsafeElements: memory.extracting(..<count))
            write(&span)
            return count
        }
    }
}
