/// Reads a body as it comes, and finds its end.
struct BodyReader: Sendable {
    /// What comes next.
    private enum Step: Hashable {
        case bytes(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilEnd
        case done
    }

    private var step: Step
    private var left: Int
    private let limits: HTTPLimits
    private var trailers: FieldReader

    init(_ framing: BodyFraming, _ limits: HTTPLimits) throws(HTTPFault) {
        left = limits.bodyBytes
        self.limits = limits
        trailers = FieldReader(bytes: limits.chunkLineBytes, fields: limits.fields)
        switch framing {
        case .none: step = .done
        case .length(let count):
            guard count <= limits.bodyBytes else { throw Self.tooLarge }
            step = .bytes(count)
        case .chunked: step = .chunkSize
        case .untilEnd: step = .untilEnd
        }
    }

    private static let tooLarge = HTTPFault(status: 413, detail: "The body is too large.")

    /// Whether all of it was read.
    var isDone: Bool { step == .done }

    /// Whether the end of the connection is its end.
    var endsWithConnection: Bool { step == .untilEnd }

    /// The bytes that are there; `nil` where none are, or it is done.
    mutating func next(_ buffer: inout LineBuffer) throws(HTTPFault) -> [UInt8]? {
        while true {
            switch step {
            case .done: return nil
            case .untilEnd:
                if buffer.isEmpty { return nil }
                return try account(for: buffer.take(atMost: .max))
            case .bytes(let count):
                if buffer.isEmpty { return nil }
                let bytes = buffer.take(atMost: count)
                step = bytes.count == count ? .done : .bytes(count - bytes.count)
                return bytes
            case .chunk(let count):
                if buffer.isEmpty { return nil }
                let bytes = buffer.take(atMost: count)
                step = bytes.count == count ? .chunkEnd : .chunk(count - bytes.count)
                return bytes
            case .chunkSize, .chunkEnd, .trailers:
                guard try advance(&buffer) else { return nil }
            }
        }
    }

    /// Reads a line between chunks; `false` where it is not there yet.
    private mutating func advance(_ buffer: inout LineBuffer) throws(HTTPFault) -> Bool {
        if step == .trailers {
            guard try trailers.read(&buffer) else { return false }
            step = .done
            return true
        }
        let tooLong = HTTPFault.malformed("A chunk's line is too long.")
        guard let line = try buffer.line(atMost: limits.chunkLineBytes, tooLong: tooLong) else {
            return false
        }
        if step == .chunkEnd {
            guard line.isEmpty else { throw .malformed("A chunk is longer than it says.") }
            step = .chunkSize
            return true
        }
        let size = try Self.size(line)
        // Before a byte of it is taken: a chunk that is announced is not waited for.
        guard size <= left else { throw Self.tooLarge }
        left -= size
        step = size == 0 ? .trailers : .chunk(size)
        return true
    }

    private mutating func account(for bytes: [UInt8]) throws(HTTPFault) -> [UInt8] {
        guard bytes.count <= left else { throw Self.tooLarge }
        left -= bytes.count
        return bytes
    }

    /// A chunk's size: hexadecimal digits, and what an extension says behind a semicolon.
    private static func size(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        let end = line.firstIndex(of: UInt8(ascii: ";")) ?? line.endIndex
        guard line[end...].allSatisfy(HTTPByte.isValue) else {
            throw .malformed("A chunk's extension has a control character.")
        }
        let digits = end < line.endIndex ? line[..<end].trimmingBlanks() : line[..<end]
        guard !digits.isEmpty, digits.count <= 15 else {
            throw .malformed("A chunk's size is no number.")
        }
        var size = 0
        for byte in digits {
            guard let digit = byte.hexadecimalDigit else {
                throw .malformed("A chunk's size is no number.")
            }
            size = size << 4 | Int(digit)
        }
        return size
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
