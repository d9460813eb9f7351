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

    /// Reads the identity, or `nil` when neither copy is intact.
    static func parse(_ bytes: RawSpan, path: String) throws(StorageError) -> StoreID? {
        try DoubledRecord.parse(bytes) { copy throws(StorageError) in
            try parse(copy: copy, path: path)
        }
    }

    /// Reads one copy, or `nil` when it is not intact.
    static func parse(copy: RawSpan, path: String) throws(StorageError) -> StoreID? {
        guard try FileSignature.identity.isIntact(copy, minimum: byteCount, path: path)
        else { return nil }
        return StoreID(first: copy.integer(at: 16), second: copy.integer(at: 24))
    }
}
