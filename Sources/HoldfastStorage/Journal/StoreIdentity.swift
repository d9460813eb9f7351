/// The `identity` file: which store a directory is, and which replica of it (FORMAT.md,
/// "identity").
struct StoreIdentity: Hashable, Sendable {
    private static let byteCount = 64
    private static let copyState: UInt32 = 1

    /// Which store: the same in every copy, and in every file of it.
    var store: StoreID
    /// Which of the store's replicas: no two that are written have the same.
    var replica: StoreID
    /// Whether it is a backup that was never opened for writing: it has its origin's replica, and
    /// gets its own before it is written.
    var isCopy = false

    /// The first replica of a store, which has the store's own id.
    init(store: StoreID) {
        self.store = store
        replica = store
    }

    /// The file's bytes.
    func bytes() -> [UInt8] {
        let record = FileSignature.identity.header(length: Self.byteCount) { buffer in
            buffer.append(store.first)
            buffer.append(store.second)
            buffer.append(replica == store ? 0 : replica.first)
            buffer.append(replica == store ? 0 : replica.second)
            buffer.append(isCopy ? Self.copyState : 0)
        }
        return DoubledRecord.bytes(of: record)
    }

    /// What each of the two copies of the record says; `nil` for one that is not intact.
    static func copies(in bytes: RawSpan, path: String) throws(StorageError) -> [StoreIdentity?] {
        var copies: [StoreIdentity?] = []
        for copy in 0...1 {
            let bytes = bytes.extracting(DoubledRecord.range(of: copy, in: bytes))
            copies.append(try parse(bytes, path: path))
        }
        return copies
    }

    private static func parse(
        _ copy: RawSpan,
        path: String
    ) throws(StorageError) -> StoreIdentity? {
        guard try FileSignature.identity.isIntact(copy, minimum: byteCount, path: path)
        else { return nil }
        var identity = StoreIdentity(
            store: StoreID(first: copy.integer(at: 16), second: copy.integer(at: 24))
        )
        let replica = StoreID(first: copy.integer(at: 32), second: copy.integer(at: 40))
        if replica.first != 0 || replica.second != 0 { identity.replica = replica }
        identity.isCopy = copy.integer(at: 48, as: UInt32.self) & copyState != 0
        return identity
    }
}
