import HoldfastStorage

/// The records of a file or of standard input, read as they are asked for.
struct RecordInput: ~Copyable {
    private static let readSize = 1 << 18

    private let source: Descriptor
    private var parser: any RecordParser
    private var isRead = false
    /// Whether there is no further record.
    private(set) var isAtEnd = false
    /// How many bytes have been read.
    private(set) var bytesRead: UInt64 = 0

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: ``Failure`` for a directory, which opens and then cannot be read.
    init(_ path: String, _ format: RecordFormat?) throws {
        source = path == "-" ? .standardInput : try Self.openFile(path)
        parser = (format ?? RecordFormat(fileName: path)).makeParser()
    }

    private static func openFile(_ path: String) throws -> Descriptor {
        let file = try Descriptor(reading: path)
        if file.isDirectory { throw Failure("\(path) is a directory; name a file of records") }
        return file
    }

    /// The bytes of the whole input; `nil` where that is not known.
    var size: UInt64? { source.fileSize }

    /// The next record, or what stands in its place; `nil` at the end, and where the input lets
    /// wait for more and the caller does not wait.
    ///
    /// - Throws: `CancellationError` while it waits for a slow input, ``Failure`` for damage that
    ///   nothing can be read behind, `SystemCallError`.
    mutating func next(waits: Bool) throws -> InputRecord? {
        while true {
            if let record = try parser.next() { return record }
            if isRead {
                isAtEnd = true
                return nil
            }
            guard let bytes = try read(waits: waits) else { return nil }
            isRead = bytes.isEmpty
            parser.append(bytes)
        }
    }

    /// A read that waits cannot be cancelled, so the wait is in short steps.
    private mutating func read(waits: Bool) throws -> [UInt8]? {
        try Task.checkCancellation()
        while try !source.waitUntilReadable(milliseconds: 50) {
            if !waits { return nil }
            try Task.checkCancellation()
        }
        let bytes = try source.read(atMost: Self.readSize)
        bytesRead += UInt64(bytes.count)
        return bytes
    }
}
