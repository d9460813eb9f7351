import HoldfastStorage

extension File {
    /// Writes all of an array.
    func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemCallError) {
        try unsafe write(bytes.span.bytes, at: offset)
    }

    /// The file's whole contents.
    func contents() throws(SystemCallError) -> [UInt8] {
        try read(count: Int(size()), at: 0)
    }
}
