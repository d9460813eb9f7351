import HoldfastStorage

/// The records of a file or of standard input, read as they are asked for.
struct RecordInput: ~Copyable {
    private static let readSize = 1 << 18

    private let source: Descriptor
    private var parser: any RecordParser
    private var isAtEnd = false
    /// How many bytes have been read.
    private(set) var bytesRead: UInt64 = 0

    /// Opens a file, or standard input for `-`.
    init(_ path: String, _ format: RecordFormat?) throws {
        source = path == "-" ? .standardInput : try Descriptor(reading: path)
        parser = (format ?? RecordFormat(fileName: path)).makeParser()
    }

    /// The bytes of the whole input; `nil` where that is not known.
    var size: UInt64? { source.fileSize }

    /// The next record, or what stands in its place; `nil` at the end.
    ///
    /// - Throws: `CancellationError` while it waits for a slow input, ``Failure`` for damage that
    ///   nothing can be read behind, `SystemCallError`.
    mutating func next() throws -> InputRecord? {
        while true {
            if let record = try parser.next() { return record }
            if isAtEnd { return nil }
            let bytes = try read()
            isAtEnd = bytes.isEmpty
            parser.append(bytes)
        }
    }

    /// A read that waits cannot be cancelled, so the wait is in short steps.
    private mutating func read() throws -> [UInt8] {
        try Task.checkCancellation()
        while try !source.waitUntilReadable(milliseconds: 100) { try Task.checkCancellation() }
        let bytes = try source.read(atMost: Self.readSize)
        bytesRead += UInt64(bytes.count)
        return bytes
    }
}
