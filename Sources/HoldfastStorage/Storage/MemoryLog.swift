/// The changes of a transaction in memory; a payload is the value itself.
struct MemoryLog: TransactionLog {
    private(set) var changes: [Change] = []
    private var bytes = 0

    struct Mark {
        fileprivate let count: Int
        fileprivate let bytes: Int
    }

    var mark: Mark { Mark(count: changes.count, bytes: bytes) }

    mutating func rollBack(to mark: Mark) {
        changes.removeLast(changes.count - mark.count)
        bytes = mark.bytes
    }

    mutating func appendPut(
        _ value: RawSpan,
        for key: RawSpan,
        _ record: (_ payload: RawSpan) throws(StorageError) -> Void
    ) throws(StorageError) {
        try claim(key.byteCount + value.byteCount)
        changes.append(Change(key: [UInt8](key), value: [UInt8](value)))
        try record(value)
    }

    mutating func appendDelete(
        _ key: RawSpan,
        hiding hidden: ClosedRange<UInt32>
    ) throws(StorageError) -> Tombstone? {
        try claim(key.byteCount)
        changes.append(Change(key: [UInt8](key), value: nil))
        return nil
    }

    private mutating func claim(_ count: Int) throws(StorageError) {
        guard count <= StorageLimits.transactionBytes - bytes else {
            throw StorageError(
                .transactionTooLarge,
                "A transaction holds at most \(StorageLimits.transactionBytes) bytes; split it."
            )
        }
        bytes += count
    }

    func withValue<Result>(
        at payload: RawSpan,
        for key: RawSpan,
        _ body: (RawSpan) -> Result
    ) throws(StorageError) -> Result {
        body(payload)
    }

    func value(at payload: RawSpan, for key: RawSpan) throws(StorageError) -> [UInt8] {
        [UInt8](payload)
    }
}
