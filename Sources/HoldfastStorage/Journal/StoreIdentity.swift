/// The `identity` file: which store a directory is (FORMAT.md, "Identity").
enum StoreIdentity {
    private static let byteCount = 64

    /// The file's bytes.
    static func bytes(of store: StoreID) -> [UInt8] {
        let record = FileSignature.identity.header(length: byteCount) { buffer in
            buffer.append(store.first)
            buffer.append(store.second)
        }
        return DoubledRecord.bytes(of: record)
    }

    /// What each of the two copies says; `nil` for one that is not intact.
    static func copies(in bytes: RawSpan, path: String) throws(StorageError) -> [StoreID?] {
        var copies: [StoreID?] = []
        for copy in 0...1 {
            let bytes = bytes.extracting(DoubledRecord.range(of: copy, in: bytes))
            copies.append(try parse(bytes, path: path))
        }
        return copies
    }

    private static func parse(_ copy: RawSpan, path: String) throws(StorageError) -> StoreID? {
        guard try FileSignature.identity.isIntact(copy, minimum: byteCount, path: path)
        else { return nil }
        return StoreID(first: copy.integer(at: 16), second: copy.integer(at: 24))
    }
}
