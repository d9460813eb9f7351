/// The pages of a checkpoint in the making that are not in its file yet.
struct PageOutput: ~Copyable {
    /// How much is gathered before it is written.
    static let pieceBytes = 1 << 20

    private let salt: UInt64
    private var buffer = ByteBuffer(capacity: pieceBytes + pieceBytes / 4)
    /// Where in the file the buffer's first byte will stand.
    private(set) var start: UInt64

    init(salt: UInt64, start: UInt64) {
        self.salt = salt
        self.start = start
    }

    var isFull: Bool { buffer.count >= Self.pieceBytes }

    /// Where what is appended next will stand.
    var end: UInt64 { start + UInt64(buffer.count) }

    /// Appends a node.
    mutating func append(
        _ node: Node,
        children words: [PageWord]
    ) throws(StorageError) -> PageWord {
        guard node.fitsPage else { throw .pageTooLarge }
        let start = buffer.count
        node.appendPage(to: &buffer, children: words)
        return try seal(from: start)
    }

    /// Appends a page of another checkpoint; a leaf's, since an inner node's children move.
    mutating func append(_ page: PageWord, of file: PageFile) throws(StorageError) -> PageWord {
        let start = buffer.count
        try file.withPage(page) { bytes in buffer.append(bytes) }
        return try seal(from: start)
    }

    private mutating func seal(from start: Int) throws(StorageError) -> PageWord {
        let offset = self.start + UInt64(start)
        guard let word = PageWord(offset: offset, length: buffer.count - start) else {
            throw .pageTooLarge
        }
        let check = buffer.withBytes(start + 8..<buffer.count) {
            PageFile.check(of: $0, salt: salt, offset: offset)
        }
        buffer.overwrite(check, at: start)
        return word
    }

    /// Writes what is gathered and makes it durable.
    mutating func flush(to file: any File) throws(SystemCallError) {
        guard buffer.count > 0 else { return }
        let start = start
        try buffer.withBytes(0..<buffer.count) { bytes throws(SystemCallError) in
            try file.write(bytes, at: start)
        }
        try file.sync()
        self.start += UInt64(buffer.count)
        buffer.truncate(to: 0)
    }
}
