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
            let (seconds, rest) = Int(nanoseconds).flooringDivision(by: 1_000_000_000)
            let time = Timestamp(seconds: seconds, nanoseconds: rest)
            time.write(fractionDigits: digits, to: &text)
        }
    }

    /// The text.
    var text: String {
        let length = textLength
        return unsafe String(unsafeUninitializedCapacity: length) { memory in
            unsafe memory.initialize(repeating: 0)
            var span = unsafe MutableSpan(_unsafeElements: memory)
            write(to: &span)
            return length
        }
    }
}
